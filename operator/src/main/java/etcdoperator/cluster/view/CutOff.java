package etcdoperator.cluster.view;

import etcdoperator.cluster.view.Membership.Unreachable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The operator gets no answer from any member, although pods of members are Ready. Then etcd runs, and the network path
 * between the operator and the pods, or a certificate, is broken. The operator must not act on such silence.
 */
public final class CutOff {
    /** A pod stays Ready for a few seconds after its etcd has stopped. */
    private static final Duration UNTIL_PROBES_FAIL = Duration.ofSeconds(30);

    private CutOff() {}

    /** Names of the pods that are Ready while no member answers. */
    public static List<String> readyPods(ClusterView view) {
        return ready(view)
                .flatMap(peer -> view.podOf(peer).stream())
                .map(PodView::name)
                .toList();
    }

    /** What is wrong, what the operator does, and what the user can do; empty until it has lasted for a while. */
    public static Optional<String> told(ClusterView view) {
        boolean lasts = ready(view)
                .flatMap(peer -> peer.unwellSince().stream())
                .anyMatch(since -> !since.plus(UNTIL_PROBES_FAIL).isAfter(view.now()));
        return lasts && view.membership() instanceof Unreachable(String why, var depths, var heard)
                ? Optional.of(
                        "No member answers the operator (%s), but pods %s are Ready: etcd runs, and the network path or a certificate between the operator and these pods is broken. The operator stops, replaces and recovers nothing until a member answers. Check NetworkPolicies between the operator and port 2379 of these pods, and the certificates of both"
                                .formatted(why, String.join(", ", readyPods(view))))
                : Optional.empty();
    }

    private static Stream<PeerView> ready(ClusterView view) {
        return view.membership() instanceof Unreachable(String why, var depths, var heard)
                ? view.ownPeers().stream()
                        .filter(peer -> view.isReadyOnLiveNode(peer) && !heard.contains(peer.name()))
                        // It answers, as another member.
                        .filter(peer -> view.claim(peer.claimName())
                                .filter(ClaimView::holdsOtherData)
                                .isEmpty())
                : Stream.empty();
    }
}
