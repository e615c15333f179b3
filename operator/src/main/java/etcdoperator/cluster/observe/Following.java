package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.tls.Showing;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.manifest.Peers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whether the members of a cluster follow what their certificates say by now. Pure. */
record Following(
        EtcdCluster cluster,
        List<PeerView> peers,
        List<PodView> pods,
        Membership membership,
        Chores chores,
        Instant now) {
    static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    /** Whether every pod was started with what is to be trusted now, and all are well with it. */
    boolean isFollowed(TlsSetup target) {
        String settings = new Peers(cluster, target).settings();
        boolean started = peers.stream()
                .allMatch(peer -> peer.setup().settings().equals(settings)
                        && pods.stream()
                                .anyMatch(
                                        pod -> pod.runs(peer) && pod.settings().equals(settings)));
        return started
                && membership instanceof Reachable reachable
                && reachable.members().stream().allMatch(MemberView::healthy);
    }

    /** Whether all members were seen to show certificates of that authority. */
    boolean isShown(AuthorityView authority, List<Issuance.Leaf> leaves) {
        return showing()
                .filter(showing -> showing.sight().at().isAfter(authority.since()))
                .filter(showing -> leaves.stream()
                        .allMatch(leaf ->
                                showing.show(leaf.secret(), authority.signs().keyId())))
                .isPresent();
    }

    Optional<Showing> showing() {
        return chores.sight().map(sight -> new Showing(sight, peers));
    }

    boolean isToLook() {
        return chores.sight()
                .filter(sight -> now.isBefore(sight.at().plus(LOOK_AGAIN)))
                .isEmpty();
    }
}
