package etcdoperator.cluster.rollout;

import etcdoperator.cluster.step.MembershipStep.MoveLeader;
import etcdoperator.cluster.step.MembershipStep.Relist;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.Quorum;
import etcdoperator.domain.Scheme;
import etcdoperator.manifest.Transports;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Brings every pod to what the cluster asks for, one at a time: the highest ordinal first, the leader last and only
 * after it has handed over. The next one waits until the one before runs what it should and is well.
 */
public final class Roll {
    private final ClusterView view;
    private final Roster roster;
    private final Renewal renewal;

    public Roll(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
        this.renewal = new Renewal(view);
    }

    public Optional<Step> next() {
        List<PeerView> behind =
                view.ownPeers().stream().filter(renewal::isBehind).toList();
        if (!canGoOn()) {
            return Optional.empty();
        }
        if (behind.isEmpty()) {
            return new VersionMove(view, roster).cancelDowngrade();
        }
        if (isHeldBack(view)) {
            return Optional.empty();
        }
        return view.wish()
                .mistake()
                .map(mistake -> new Problem(Problem.Kind.SettingsRefused, mistake))
                .or(() -> view.tls().problem())
                .<Step>map(Stuck::new)
                .or(() -> prepared(behind));
    }

    private boolean canGoOn() {
        return roster.learners().isEmpty() && canGoOnWithout(roster::isSetAside);
    }

    /** Whether nothing but this learner, which has not started, keeps members from being restarted. */
    public boolean waitsFor(MemberView learner) {
        boolean behind = view.ownPeers().stream().anyMatch(peer -> !isOn(peer, learner) && renewal.isBehind(peer));
        return behind
                && !isHeldBack(view)
                && view.wish().mistake().isEmpty()
                && view.tls().problem().isEmpty()
                && roster.learners().equals(List.of(learner))
                && canGoOnWithout(peer -> isOn(peer, learner) || roster.isSetAside(peer));
    }

    private boolean isOn(PeerView peer, MemberView member) {
        return roster.member(peer).equals(Optional.of(member));
    }

    /** Where a peer has no member, quorum must not depend on each of the others. */
    private boolean canGoOnWithout(Predicate<PeerView> absent) {
        int voters = roster.voters().size();
        return view.ownPeers().stream().filter(absent.negate()).allMatch(this::isWell)
                && (view.ownPeers().stream().noneMatch(absent) || new Quorum(voters).metBy(voters - 1));
    }

    private Optional<Step> prepared(List<PeerView> behind) {
        return new VersionMove(view, roster).preparation().or(() -> Optional.of(turn(inTurn(behind))));
    }

    /** Outside of the maintenance window nothing is begun; what was begun before is brought to its end. */
    public static boolean isHeldBack(ClusterView view) {
        return !view.wish().maintenance().isOpenAt(view.now())
                && view.memory().operation().filter(Operation::restartsMembers).isEmpty();
    }

    /** Who was begun with first, so that never two have new settings and an old pod. */
    private PeerView inTurn(List<PeerView> behind) {
        return behind.stream()
                .max(Comparator.comparing(renewal::isBegun)
                        .thenComparing(peer -> !leads(peer))
                        .thenComparing(PeerView::name))
                .orElseThrow();
    }

    private Step turn(PeerView peer) {
        boolean ready = renewal.isBegun(peer) && renewal.isTemplateCurrent(peer);
        return roster.member(peer)
                .filter(member -> ready)
                .flatMap(member -> handOver(member).or(() -> relist(peer, member)))
                .or(() -> renewal.of(peer))
                .orElseGet(() -> new Wait("Waiting for %s to take up its new settings".formatted(peer.name())));
    }

    /** To one that is restarted already, so that leadership moves once. */
    private Optional<Step> handOver(MemberView leaver) {
        return roster.successor(leaver, this::isDone)
                .map(successor -> new MoveLeader(
                        renewal.task(),
                        leaver.known(),
                        successor.id(),
                        successor.known(),
                        "Moving leadership from %s to %s, because %s is restarted"
                                .formatted(leaver.known(), successor.known(), leaver.known())));
    }

    /** Just before the restart: until then the others keep the connections they have. */
    private Optional<Step> relist(PeerView peer, MemberView member) {
        return relist(
                renewal.task(), peer, member, Transports.between(peer.setup().tls()));
    }

    private Optional<Step> relist(Task task, PeerView peer, MemberView member, Scheme scheme) {
        return member.scheme() == scheme || !roster.canRelist(member)
                ? Optional.empty()
                : Optional.of(new Relist(
                        task,
                        peer.name(),
                        member.id(),
                        scheme,
                        peer.claimName(),
                        "Telling the members that %s is reached by %s".formatted(peer.name(), scheme.word())));
    }

    /**
     * Where a pod listens otherwise than its member is listed, the others look for it in vain, and newcomers most of
     * all: so it comes before all that is under way, as a part of it. One that is about to be restarted is left alone.
     */
    public Optional<Step> relistStray() {
        Task task = view.memory()
                .operation()
                .map(operation -> new Task(operation.type(), operation.target()))
                .orElseGet(renewal::task);
        return view.ownPeers().stream()
                .flatMap(peer -> view
                        .podOf(peer)
                        .map(pod -> pod.transport().peer().scheme())
                        .filter(listens ->
                                listens == Transports.between(peer.setup().tls()) || staysForNow(peer))
                        .flatMap(listens -> roster.member(peer).flatMap(member -> relist(task, peer, member, listens)))
                        .stream())
                .findFirst();
    }

    /** It is well, and who is not has to be seen to before anybody is restarted. */
    private boolean staysForNow(PeerView peer) {
        return isWell(peer) && !canGoOn();
    }

    private boolean isDone(MemberView member) {
        return member.peer()
                .flatMap(view::ownPeer)
                .filter(peer -> !renewal.isBehind(peer))
                .isPresent();
    }

    private boolean isWell(PeerView peer) {
        return view.podOf(peer).isPresent()
                && roster.member(peer).map(MemberView::healthy).orElse(false);
    }

    private boolean leads(PeerView peer) {
        return roster.member(peer)
                .filter(member -> member.role() == Role.LEADER)
                .isPresent();
    }
}
