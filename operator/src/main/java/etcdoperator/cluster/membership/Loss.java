package etcdoperator.cluster.membership;

import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Start;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Says which members have to be replaced, and why. A volume that is gone, empty or spoilt will not come back by itself.
 * All else may: a node that is away, a disk that cannot be mounted and an etcd that crashes get the time that the user
 * allows, and a member that is merely slow, or restarts, gets all the time there is.
 */
public final class Loss {
    private Loss() {}

    static Optional<String> of(PeerView peer, Optional<MemberView> member, ClusterView view) {
        Optional<ClaimView> claim = view.claim(peer.claimName());
        if (peer.stopped() && (member.isEmpty() || claim.isPresent())) {
            // It waits for another member, or will be started; but one whose claim went while it slept never can be.
            return Optional.empty();
        }
        if (claim.isEmpty()) {
            return Optional.of("its claim " + peer.claimName() + " is gone");
        }
        if (claim.get().deleting()) {
            return Optional.of("its claim " + peer.claimName() + " is being deleted");
        }
        if (member.filter(m -> differs(m, view)).isPresent()) {
            return Optional.of("its data differs from what most members have");
        }
        if (member.map(MemberView::healthy).orElse(false)) {
            return Optional.empty();
        }
        return claim.flatMap(ClaimView::problem)
                .or(() -> view.podOf(peer).flatMap(PodView::problem))
                .flatMap(Loss::ofData)
                .or(() -> isOverdue(peer, claim.get(), view) ? ofTime(peer, view) : Optional.empty());
    }

    /** By a hash over all keys at one revision; where no majority agrees, nobody can tell who is right. */
    private static boolean differs(MemberView member, ClusterView view) {
        return view.chores()
                .comparison()
                .filter(comparison -> !comparison.agreeing().isEmpty()
                        && comparison.differing().contains(member.id()))
                .isPresent();
    }

    /** Whether a problem means that the data of a member is gone. */
    public static Optional<String> ofData(Problem problem) {
        return switch (problem.kind()) {
            case VolumeLost -> Optional.of("its volume is lost");
            case VolumeEmpty -> Optional.of("its volume is empty");
            case DataCorrupt -> Optional.of("its data is corrupt");
            case MajorityLost,
                    RecoveryFailed,
                    ClaimsUnknown,
                    ClaimsDisagree,
                    DataGone,
                    Refused,
                    VersionRefused,
                    BackupFailed,
                    SettingsRefused,
                    CertificatesInvalid,
                    ClocksDisagree,
                    CertificatesMissing,
                    AccessDenied,
                    PasswordMissing,
                    RoleMissing,
                    DataDiffers,
                    NoSpace,
                    BootstrapBroken,
                    IdentityMismatch,
                    VolumeMissing,
                    VolumeUnavailable,
                    VolumeNotMounted,
                    PodRefused,
                    PodUnschedulable,
                    ImageUnavailable,
                    ContainerRefused,
                    EtcdCrashing -> Optional.empty();
        };
    }

    /** A peer's status still tells of the member that was replaced: no member is away for longer than its claim is there. */
    private static boolean isOverdue(PeerView peer, ClaimView claim, ClusterView view) {
        return peer.unwellSince()
                .map(since -> since.isAfter(claim.createdAt()) ? since : claim.createdAt())
                .map(since -> !since.plus(view.wish().memberTimeout()).isAfter(view.now()))
                .orElse(false);
    }

    /** Where one that is still joining was last seen is where the member was that it replaces. */
    private static Optional<String> ownLastNode(PeerView peer) {
        return peer.start() == Start.JOINS ? Optional.empty() : peer.lastNode();
    }

    private static Optional<String> ofTime(PeerView peer, ClusterView view) {
        String patience = " for longer than spec.recovery.memberTimeout";
        Optional<PodView> pod = view.podOf(peer);
        boolean placed = pod.flatMap(PodView::node).isPresent();
        Optional<String> away = Stream.concat(view.nodesOf(peer), ownLastNode(peer).filter(node -> !placed).stream())
                .filter(view.nodesDown()::contains)
                .findFirst();
        if (away.isPresent()) {
            return away.map(node -> "its node " + node + " has been away" + patience);
        }
        return view.claim(peer.claimName())
                .flatMap(ClaimView::awaitedSince)
                .filter(since -> !since.plus(view.wish().memberTimeout()).isAfter(view.now()))
                .map(since -> "its volume could not be mounted" + patience)
                .or(() -> pod.flatMap(PodView::problem)
                        .filter(problem -> problem.kind() == Problem.Kind.EtcdCrashing)
                        .map(problem -> "its etcd has been crashing" + patience));
    }
}
