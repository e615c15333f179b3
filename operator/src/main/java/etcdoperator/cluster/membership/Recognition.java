package etcdoperator.cluster.membership;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.step.MaintenanceStep.KeepOut;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.ClusterView.KnownMember;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Start;
import java.util.List;
import java.util.Optional;

/**
 * Which pods clients may reach. A volume that was used before holds another member, perhaps of another etcd cluster, and
 * its pod looks as good as any. So the client service leads to a pod only after its member answered as the one that was
 * expected, and no longer once another one answers.
 */
public final class Recognition {
    private Recognition() {}

    /** Keeps clients away from members that answer as others. */
    public static Optional<Step> keepOut(ClusterView view) {
        List<PodView> serving = view.ownPeers().stream()
                .filter(peer -> holdsOtherData(view, peer))
                .flatMap(peer -> view.podOf(peer).stream())
                .filter(PodView::serving)
                .toList();
        return serving.isEmpty()
                ? Optional.empty()
                : Optional.of(new KeepOut(
                        serving.stream().map(PodView::name).toList(),
                        "Keeping clients away from %s: %s"
                                .formatted(
                                        serving.stream().map(PodView::name).collect(joining(", ")),
                                        serving.stream()
                                                .flatMap(pod -> view.claim(pod.claimName()).stream())
                                                .flatMap(claim -> claim.problem().stream())
                                                .map(Problem::message)
                                                .collect(joining("; ")))));
    }

    /** Whether the peer's member was recognised, and votes. A learner has not all data yet. */
    public static boolean mayServe(ClusterView view, PeerView peer) {
        return view.claim(peer.claimName()).filter(ClaimView::heldData).isPresent()
                && peer.start() == Start.ON_DATA
                && !peer.unrecognised()
                && !holdsOtherData(view, peer)
                && !learns(view, peer);
    }

    /** Whether something else is on the volume than its claim says. */
    private static boolean holdsOtherData(ClusterView view, PeerView peer) {
        return view.claim(peer.claimName()).filter(ClaimView::holdsOtherData).isPresent();
    }

    private static boolean learns(ClusterView view, PeerView peer) {
        return switch (view.membership()) {
            case Reachable reachable ->
                reachable
                        .memberOn(peer.claimName())
                        .filter(member -> member.role() == Role.LEARNER)
                        .isPresent();
            case Unreachable unreachable ->
                view.memory().members().stream()
                        .filter(member -> member.claimName().equals(Optional.of(peer.claimName())))
                        .anyMatch((KnownMember member) -> !member.votes());
        };
    }
}
