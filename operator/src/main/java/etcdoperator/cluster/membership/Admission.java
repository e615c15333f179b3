package etcdoperator.cluster.membership;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.MembershipStep.Admit;
import etcdoperator.cluster.step.MembershipStep.Promote;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Roster;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** How members come in: one at a time, on an empty volume of their own, first without a vote. */
public final class Admission {
    private final ClusterView view;
    private final Roster roster;

    public Admission(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    /** etcd lists a member whose peer is not there yet, or was told of other members than there are now. */
    public Optional<Step> carryOn() {
        return roster.members().stream()
                .flatMap(member -> roster.joiningClaim(member).stream())
                .filter(claim -> isBehind(claim.peer(), claim))
                .<Step>map(claim -> admit(claim.peer(), claim.name(), true))
                .findFirst();
    }

    private boolean isBehind(PeerName slot, ClaimView claim) {
        Optional<PeerView> peer = view.ownPeer(slot);
        if (peer.isEmpty()) {
            return view.peers().stream().noneMatch(leaving -> leaving.name().equals(slot));
        }
        if (!peer.get().claimName().equals(claim.name())) {
            return roster.member(peer.get()).isEmpty();
        }
        return peer.get().start() == Start.JOINS
                && (peer.get().stopped() || !peer.get().startsWith().equals(roster.slots().keySet()));
    }

    /** A vote only for who starts on data or not at all from now on, and while every other voter is well. */
    public Optional<Step> promote() {
        return roster.learners().stream()
                .filter(MemberView::healthy)
                .flatMap(learner -> learner.peer().flatMap(view::ownPeer).stream()
                        .filter(this::startsOnDataOnly)
                        .map(peer -> new Promote(
                                recorded(peer.name()).orElse(Task.scaleUp(peer.name())),
                                peer.name(),
                                learner.id(),
                                "Giving %s its vote".formatted(peer.name()))))
                .<Step>map(step -> step)
                .filter(step -> roster.everyVoterIsWell())
                .findFirst();
    }

    private boolean startsOnDataOnly(PeerView peer) {
        return peer.start() == Start.ON_DATA
                && peer.templateStart() == Start.ON_DATA
                && view.claim(peer.claimName()).map(ClaimView::heldData).orElse(false)
                && view.podOf(peer).map(pod -> pod.start() == Start.ON_DATA).orElse(false);
    }

    /** The next one to come in: for a peer that has lost its member, or for one that is not there yet. */
    public Optional<Step> grow() {
        if (!roster.learners().isEmpty() || !roster.everyVoterIsWell()) {
            return Optional.empty();
        }
        return vacancies().findFirst().map(this::admitNext);
    }

    /** One that was set aside comes after the others: it would only be waited for again. */
    Stream<PeerName> vacancies() {
        int missing = Math.max(0, view.wish().replicas() - view.ownPeers().size());
        return Stream.concat(
                        view.ownPeers().stream()
                                .filter(peer -> roster.member(peer).isEmpty())
                                .map(PeerView::name),
                        roster.freeSlots().limit(missing))
                .sorted(Comparator.comparing(slot -> setAsideAt(slot).orElse(Instant.MIN)));
    }

    Optional<Instant> setAsideAt(PeerName slot) {
        return roster.joiningClaim(slot).flatMap(ClaimView::notStarted);
    }

    private Step admitNext(PeerName slot) {
        Optional<PodView> leftover = view.pods().stream()
                .filter(pod -> pod.peer().equals(slot) && !pod.deleting())
                .findFirst();
        return leftover.<Step>map(pod -> new Wait("Waiting for pod %s to end".formatted(pod.name())))
                .orElseGet(() -> admit(slot, claimFor(slot), false));
    }

    private Admit admit(PeerName slot, String claimName, boolean added) {
        SortedMap<String, PeerName> members = roster.slots();
        members.put(claimName, slot);
        return new Admit(
                task(slot),
                slot,
                claimName,
                members,
                version(),
                added,
                added
                        ? "Starting %s on claim %s, with members %s"
                                .formatted(slot, claimName, String.join(", ", members.keySet()))
                        : "Adding %s on claim %s".formatted(slot, claimName));
    }

    /** Another minor is brought to all members in turn, with all that has to come before: until then, what the others run. */
    private EtcdVersion version() {
        EtcdVersion wanted = view.wish().version();
        return roster.voters().stream()
                .flatMap(member -> member.version().stream())
                .min(EtcdVersion::compareTo)
                .filter(lowest -> lowest.minor() != wanted.minor())
                .orElse(wanted);
    }

    /** A claim left by an attempt that was cut short before its member was added is as good as new. */
    private String claimFor(PeerName slot) {
        return roster.joiningClaim(slot)
                .filter(claim -> !view.isInUse(claim.name()) || isKeptFor(slot, claim))
                .map(ClaimView::name)
                .orElseGet(() -> ClaimNames.next(view, slot));
    }

    /** Its etcd was never started there, and no pod that could start it is left. */
    private boolean isKeptFor(PeerName slot, ClaimView claim) {
        return view.ownPeer(slot)
                        .filter(peer -> peer.claimName().equals(claim.name()) && roster.isSetAside(peer))
                        .isPresent()
                && view.pods().stream().noneMatch(pod -> pod.claimName().equals(claim.name()));
    }

    /** A peer that is there already gets another member; one that is not, or never had any, is new. */
    private Task task(PeerName slot) {
        boolean isNew = view.ownPeer(slot)
                .map(peer -> roster.isSetAside(peer) && peer.claimName().equals(slot.toString()))
                .orElse(true);
        return recorded(slot).orElseGet(() -> isNew ? Task.scaleUp(slot) : Task.replace(slot));
    }

    private Optional<Task> recorded(PeerName slot) {
        return view.memory()
                .operation()
                .filter(operation -> operation.target().equals(slot.toString()))
                .map(operation -> new Task(operation.type(), operation.target()))
                .filter(task -> task.type() == OperationType.REPLACE || task.type() == OperationType.SCALE_UP);
    }
}
