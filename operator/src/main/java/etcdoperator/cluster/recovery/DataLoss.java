package etcdoperator.cluster.recovery;

import etcdoperator.cluster.membership.Loss;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import java.util.List;
import java.util.Optional;

/**
 * Whether a member's data is gone for good: the claim, the volume, what was on it, or the nodes that alone could have it.
 * Silence proves nothing, and a member whose state is unknown counts as alive.
 */
final class DataLoss {
    private final ClusterView view;

    DataLoss(ClusterView view) {
        this.view = view;
    }

    /** Why, in words. */
    Optional<String> of(Voter voter) {
        Optional<ClaimView> claim = claimOf(voter);
        if (speaks(voter.id()) || runs(voter, claim) || hasData(voter, claim)) {
            return Optional.empty();
        }
        return claim.isPresent()
                ? of(claim.get())
                : isOurs(voter) ? Optional.of("its claim is gone") : Optional.empty();
    }

    /**
     * A claim that is being deleted keeps its data for as long as a pod has it. What a pod said whose node is silent now,
     * was said before the node went down, and may come back with it otherwise.
     */
    Optional<String> of(ClaimView claim) {
        List<PodView> pods = podsOn(claim);
        if (claim.deleting() && pods.isEmpty()) {
            return Optional.of("its claim is being deleted");
        }
        return claim.problem()
                .filter(problem -> Loss.ofData(problem).isPresent())
                .map(Problem::message)
                .or(() -> pods.stream()
                        .filter(pod ->
                                pod.node().filter(view.nodesDown()::contains).isEmpty())
                        .flatMap(pod -> pod.problem().stream())
                        .flatMap(problem -> Loss.ofData(problem).stream())
                        .findFirst())
                .or(() -> wasWithoutData(claim)
                        ? Optional.of("there was no data on its volume when the recovery began")
                        : Optional.empty());
    }

    /**
     * The one it was seen on, or else the one that etcd names. Where nobody remembers that, it is the one that was made
     * for its peer; in the place of a lost member's claim there may be that of its successor.
     */
    Optional<ClaimView> claimOf(Voter voter) {
        return view.claims().stream()
                .filter(claim -> claim.contents() instanceof Contents.Held held
                        && held.memberId().equals(voter.id()))
                .findFirst()
                .or(() -> voter.claimName().isPresent()
                        ? view.claim(voter.claimName().get())
                        : madeFor(voter));
    }

    private Optional<ClaimView> madeFor(Voter voter) {
        return slot(voter)
                .flatMap(slot -> view.livingClaims().stream()
                        .filter(claim -> claim.peer().equals(slot) && !claim.heldData())
                        .findFirst());
    }

    Optional<Long> revisionOf(Voter voter) {
        return switch (view.membership()) {
            case Reachable reachable ->
                reachable
                        .member(voter.id())
                        .map(member -> member.store().revision())
                        .filter(revision -> revision > 0);
            case Unreachable(String why, var depths) -> slot(voter).map(depths::get);
        };
    }

    List<PodView> podsOn(ClaimView claim) {
        return view.pods().stream()
                .filter(pod -> pod.claimName().equals(claim.name()))
                .toList();
    }

    private boolean speaks(MemberId id) {
        return view.reachable()
                .flatMap(reachable -> reachable.member(id))
                .flatMap(MemberView::version)
                .isPresent();
    }

    /** Whose pod is ready has its data, whatever became of the claim. */
    private boolean runs(Voter voter, Optional<ClaimView> claim) {
        Optional<String> name = claim.map(ClaimView::name)
                .or(voter::claimName)
                .or(() -> slot(voter).flatMap(view::ownPeer).map(PeerView::claimName));
        return name.isPresent()
                && view.pods().stream()
                        .anyMatch(pod -> pod.ready() && pod.claimName().equals(name.get()));
    }

    /** Who has found nothing on its volume once may have been started again since, and answers nobody without a quorum. */
    private boolean hasData(Voter voter, Optional<ClaimView> claim) {
        return claim.filter(found -> !podsOn(found).isEmpty()).isPresent()
                && revisionOf(voter).isPresent();
    }

    /** Only for as long as no pod may look again, and not of a claim that somebody has brought back since. */
    private boolean wasWithoutData(ClaimView claim) {
        return view.recoveries().stream()
                .filter(recovery -> recovery.state() == RecoveryView.State.UNDER_WAY
                        && !claim.createdAt().isAfter(recovery.createdAt()))
                .filter(recovery -> view.memory().clusterId().equals(Optional.of(recovery.lost())))
                .anyMatch(recovery -> recovery.withoutData().contains(claim.name()));
    }

    /** A member that was added by hand has its data elsewhere, whatever it is called. */
    private boolean isOurs(Voter voter) {
        return voter.claimName().isPresent()
                || (view.reachable()
                                .flatMap(reachable -> reachable.member(voter.id()))
                                .isEmpty()
                        && slot(voter).isPresent());
    }

    private Optional<PeerName> slot(Voter voter) {
        return PeerName.tryParse(voter.known())
                .or(() -> voter.claimName()
                        .flatMap(claim -> PeerName.ofClaim(view.wish().key().name(), claim)))
                .filter(peer -> peer.cluster().equals(view.wish().key().name()));
    }
}
