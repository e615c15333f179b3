package etcdoperator.cluster.membership;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.ClaimStep;
import etcdoperator.cluster.step.MembershipStep.Expel;
import etcdoperator.cluster.step.MembershipStep.MoveLeader;
import etcdoperator.cluster.step.MembershipStep.RemoveMember;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.MemberId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Who has to leave: members that are lost, that nobody knows, or that are too many. Never one that quorum needs. */
public final class Removal {
    /** Marks a claim on which no member was ever seen. */
    public static final MemberId NOBODY = new MemberId(0);

    private final ClusterView view;
    private final Roster roster;

    public Removal(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    /** Replaces, one at a time, what will not come back. */
    public Optional<Step> heal() {
        return view.ownPeers().stream()
                .filter(peer -> !isNeeded(peer))
                .flatMap(peer -> whyLost(peer).flatMap(why -> leave(peer, why)).stream())
                .findFirst();
    }

    /** Who still has its data, whatever becomes of its claim, is the last to go where others are missing already. */
    private boolean isNeeded(PeerView peer) {
        return roster.member(peer).filter(MemberView::healthy).isPresent()
                && roster.voters().size() < view.wish().replicas();
    }

    private Optional<String> whyLost(PeerView peer) {
        Optional<MemberView> member = roster.member(peer);
        boolean removedByOthers = member.isEmpty() && !peer.stopped() && !roster.isBeingSetAside(peer);
        return Loss.of(peer, member, view)
                .or(() -> removedByOthers ? Optional.of("etcd no longer lists its member") : Optional.empty());
    }

    /** Only what quorum can spare; the rest waits, and Problems tell of it. */
    private Optional<Step> leave(PeerView peer, String why) {
        boolean stays = view.ownPeers().size() <= view.wish().replicas();
        Task task = stays ? Task.replace(peer.name()) : Task.scaleDown(peer.name());
        String reason = "%s %s: %s".formatted(stays ? "Replacing" : "Removing", peer.name(), why);
        return leave(peer, task, stays, reason);
    }

    private Optional<Step> leave(PeerView peer, Task task, boolean stays, String reason) {
        Optional<MemberView> member = roster.member(peer);
        if (member.isPresent() && !roster.canSpare(member.get())) {
            return Optional.empty();
        }
        return member.flatMap(leaver -> makeWay(leaver, task))
                .or(() -> Optional.of(new RemoveMember(
                        task,
                        peer.name(),
                        member.map(MemberView::id),
                        peer.claimName(),
                        member.map(MemberView::id)
                                .or(() -> view.claim(peer.claimName()).flatMap(Removal::occupant))
                                .orElse(NOBODY),
                        stays,
                        reason)));
    }

    private static Optional<MemberId> occupant(ClaimView claim) {
        return claim.held().map(ClaimView.Contents.Held::memberId);
    }

    private Optional<Step> makeWay(MemberView leaver, Task task) {
        return roster.successor(leaver)
                .map(successor -> new MoveLeader(
                        task,
                        leaver.known(),
                        successor.id(),
                        successor.known(),
                        "Moving leadership from %s to %s, because %s leaves"
                                .formatted(leaver.known(), successor.known(), leaver.known())));
    }

    /** A member that was added by hand, or whose peer went before it did. */
    public Optional<Step> expel() {
        return roster.strangers().stream().filter(roster::canSpare).findFirst().flatMap(stranger -> {
            var task = new Task(OperationType.EXPEL, stranger.known());
            return makeWay(stranger, task)
                    .or(() -> Optional.of(new Expel(
                            task,
                            stranger.id(),
                            "Removing member %s (%s): no peer and no volume of this cluster stand for it"
                                    .formatted(stranger.id(), stranger.known()))));
        });
    }

    /** Who can be spared best goes first: no member at all, no vote, unwell; else the highest ordinal. */
    public Optional<Step> shrink() {
        List<PeerView> peers = view.ownPeers();
        if (peers.size() <= view.wish().replicas()) {
            return Optional.empty();
        }
        return peers.stream()
                .max(Comparator.comparingInt(this::uselessness).thenComparing(PeerView::name))
                .flatMap(peer -> leave(
                        peer,
                        Task.scaleDown(peer.name()),
                        false,
                        "Removing %s: %d members are there and spec.replicas is %d"
                                .formatted(
                                        peer.name(), peers.size(), view.wish().replicas())));
    }

    private int uselessness(PeerView peer) {
        return roster.member(peer)
                .map(member -> member.role() == Role.LEARNER ? 2 : member.healthy() ? 0 : 1)
                .orElse(3);
    }

    /** Claims whose members have left, and those whose members stay after all. */
    public Optional<Step> tidy() {
        return view.claims().stream()
                .flatMap(claim ->
                        claim.retiredFrom().map(id -> tidy(claim, id)).orElseGet(() -> forsaken(claim)).stream())
                .findFirst();
    }

    /** Made for a member that was then not wanted any more. */
    private Optional<Step> forsaken(ClaimView claim) {
        boolean wanted = view.ownPeers().size() < view.wish().replicas()
                || roster.slots().containsKey(claim.name())
                || view.isInUse(claim.name());
        return wanted || claim.deleting() || !(claim.contents() instanceof ClaimView.Contents.Joining)
                ? Optional.empty()
                : Optional.of(new ClaimStep.Retire(
                        claim.name(),
                        "Claim %s was made for a member that is not wanted any more".formatted(claim.name())));
    }

    /** What an earlier cluster of the name has left is not ours to delete. */
    private boolean isOfThisCluster(ClaimView claim) {
        return claim.held()
                .map(held -> held.clusterId().equals(roster.clusterId()))
                .orElse(true);
    }

    private Optional<Step> tidy(ClaimView claim, MemberId id) {
        boolean inUse = view.isInUse(claim.name());
        boolean listed = roster.lists(id);
        if (listed && inUse) {
            return Optional.of(
                    new ClaimStep.Keep(claim.name(), "Member %s stays on claim %s".formatted(id, claim.name())));
        }
        return listed || inUse || claim.deleting() || !isOfThisCluster(claim)
                ? Optional.empty()
                : Optional.of(new ClaimStep.Discard(
                        claim.name(), "Deleting claim %s: member %s has left".formatted(claim.name(), id)));
    }
}
