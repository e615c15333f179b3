package etcdoperator.cluster.view;

import static java.util.stream.Collectors.toSet;

import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Quorum;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Peers and members of a cluster with a quorum, and who of them could be spared. */
public final class Roster {
    private final ClusterView view;
    private final Reachable etcd;

    private Roster(ClusterView view, Reachable etcd) {
        this.view = view;
        this.etcd = etcd;
    }

    /** Empty without a quorum, or before everybody was asked: then nobody can be judged, and nothing be changed. */
    public static Optional<Roster> of(ClusterView view) {
        return view.reachable()
                .filter(Reachable::quorumAnswers)
                .filter(Reachable::everyoneWasAsked)
                .map(reachable -> new Roster(view, reachable));
    }

    /** The member that was seen on the peer's claim, or that was added to be called by it. */
    public Optional<MemberView> member(PeerView peer) {
        Optional<ClaimView> claim = view.claim(peer.claimName());
        Optional<MemberId> known = claim.flatMap(ClaimView::held)
                .map(ClaimView.Contents.Held::memberId)
                .or(() -> claim.flatMap(ClaimView::retiredFrom));
        return known.isPresent() ? etcd.member(known.get()) : etcd.memberOn(peer.claimName());
    }

    /** Members that no peer stands for, and that no peer will. A peer that is missing beside its claim was resumed before. */
    public List<MemberView> strangers() {
        Set<MemberId> ours = view.ownPeers().stream()
                .flatMap(peer -> member(peer).stream())
                .map(MemberView::id)
                .collect(toSet());
        return etcd.members().stream()
                .filter(member -> !ours.contains(member.id()))
                .filter(member -> joiningClaim(member).isEmpty())
                .toList();
    }

    /** The claim that was made for this member, if nobody has been seen on it yet. */
    public Optional<ClaimView> joiningClaim(MemberView member) {
        return member.claimName().flatMap(view::claim).filter(Roster::isForJoining);
    }

    /** A claim that was made for a member of this peer, on which nobody has been seen yet. */
    public Optional<ClaimView> joiningClaim(PeerName peer) {
        return view.claims().stream()
                .filter(claim -> claim.peer().equals(peer) && isForJoining(claim))
                .findFirst();
    }

    private static boolean isForJoining(ClaimView claim) {
        return !claim.retired() && !claim.deleting() && claim.contents() instanceof ClaimView.Contents.Joining;
    }

    public List<MemberView> members() {
        return etcd.members();
    }

    public ClusterId clusterId() {
        return etcd.clusterId();
    }

    public boolean lists(MemberId id) {
        return etcd.member(id).isPresent();
    }

    public List<MemberView> voters() {
        return etcd.voters();
    }

    public List<MemberView> learners() {
        return etcd.learners();
    }

    /** All members by the claims they are called by; strangers are called by none. */
    public SortedMap<String, PeerName> slots() {
        SortedMap<String, PeerName> slots = new TreeMap<>();
        etcd.members()
                .forEach(member ->
                        member.claimName().ifPresent(claim -> member.peer().ifPresent(peer -> slots.put(claim, peer))));
        return slots;
    }

    public boolean everyVoterIsWell() {
        return etcd.voters().stream().allMatch(MemberView::healthy);
    }

    /**
     * Whether a quorum stays when this member is removed. A voter that is unwell may go while the others are a quorum
     * of the list as it is; one that is well only if all are, and never the last. Learners have no vote to lose.
     */
    public boolean canSpare(MemberView member) {
        if (member.role() == Role.LEARNER) {
            return true;
        }
        List<MemberView> voters = etcd.voters();
        long well = voters.stream().filter(MemberView::healthy).count();
        return member.healthy() ? well == voters.size() && well > 1 : new Quorum(voters.size()).metBy((int) well);
    }

    /** Who leads after this member, which can be spared, has given leadership away; empty if it does not lead. */
    public Optional<MemberView> successor(MemberView leaver) {
        return successor(leaver, voter -> true);
    }

    /** @param preferred who is taken before others */
    public Optional<MemberView> successor(MemberView leaver, Predicate<MemberView> preferred) {
        if (leaver.role() != Role.LEADER || !leaver.healthy()) {
            return Optional.empty();
        }
        return etcd.voters().stream()
                .filter(voter -> !voter.id().equals(leaver.id()))
                .filter(MemberView::healthy)
                .min(Comparator.comparing((MemberView voter) -> !preferred.test(voter))
                        .thenComparing(MemberView::known));
    }

    /** Each member applies a change of a peer URL by itself, so that one that does it wrongly is enough. */
    public boolean losesLearners() {
        return etcd.members().stream()
                .flatMap(member -> member.version().stream())
                .anyMatch(version -> !version.keepsLearners());
    }

    /** Whether the peer URL of a member can be changed: of a learner, only where all are known to do it right. */
    public boolean canRelist(MemberView member) {
        return member.role() != Role.LEARNER
                || (!losesLearners()
                        && etcd.voters().stream()
                                .allMatch(voter -> voter.version().isPresent()));
    }

    /** Learners that others have to wait for: those whose etcd has started, or may start soon. */
    public List<MemberView> activeLearners() {
        return etcd.learners().stream()
                .filter(learner -> !isOverdue(learner))
                .toList();
    }

    /** A learner whose etcd was not started once for longer than a member may be away; nothing of it is on any disk. */
    public boolean isOverdue(MemberView learner) {
        return !learner.hasStarted()
                && joiningClaim(learner)
                        .filter(claim -> view.pods().stream()
                                .noneMatch(pod -> pod.claimName().equals(claim.name()) && pod.hasRun()))
                        .filter(claim -> !waitsSince(claim)
                                .plus(view.wish().memberTimeout())
                                .isAfter(view.now()))
                        .isPresent();
    }

    private Instant waitsSince(ClaimView claim) {
        return Stream.of(
                        Optional.of(claim.createdAt()),
                        claim.notStarted(),
                        view.memory()
                                .operation()
                                .filter(operation ->
                                        operation.target().equals(claim.peer().toString()))
                                .map(Operation::startedAt))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Its learner was removed because its etcd had not started, and its peer was not stopped yet. */
    public boolean isBeingSetAside(PeerView peer) {
        return !peer.stopped()
                && member(peer).isEmpty()
                && view.claim(peer.claimName())
                        .filter(claim -> isForJoining(claim) && claim.notStarted().isPresent())
                        .isPresent()
                && view.pods().stream()
                        .noneMatch(pod -> pod.claimName().equals(peer.claimName()) && pod.hasRun());
    }

    /** Whether a peer waits with its claim, because its etcd did not start and something else came before it. */
    public boolean isSetAside(PeerView peer) {
        return peer.stopped()
                && member(peer).isEmpty()
                && view.claim(peer.claimName())
                        .filter(claim -> isForJoining(claim) && claim.notStarted().isPresent())
                        .isPresent();
    }

    /** Slots without a peer, the lowest first. A member at such an address is a stranger, and leaves before others come. */
    public Stream<PeerName> freeSlots() {
        Set<PeerName> taken = view.peers().stream().map(PeerView::name).collect(toSet());
        return Stream.iterate(0, ordinal -> ordinal + 1).map(view.wish()::peer).filter(slot -> !taken.contains(slot));
    }
}
