package io.improbable.etcd.cluster;

import io.improbable.etcd.api.EtcdPeerStatus;
import io.improbable.etcd.api.PeerPhase;
import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Reachable;
import io.improbable.etcd.domain.EtcdVersion;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an EtcdPeer's status says: the cluster's pass knows its member, so it writes it. */
final class PeerReport {
    private PeerReport() {}

    static EtcdPeerStatus of(PeerView peer, @Nullable EtcdPeerStatus before, ClusterView view) {
        Optional<MemberView> member =
                view.membership() instanceof Reachable reachable ? reachable.member(peer.name()) : Optional.empty();
        Optional<EtcdPeerStatus> known = Optional.ofNullable(before);
        return new EtcdPeerStatus(
                member.flatMap(MemberView::version)
                        .map(EtcdVersion::toString)
                        .or(() -> known.map(EtcdPeerStatus::serverVersion))
                        .orElse(null),
                member.map(m -> m.id().toString())
                        .or(() -> known.map(EtcdPeerStatus::memberId))
                        .orElse(null),
                phase(member, known, view.podOf(peer.name())),
                view.podOf(peer.name()).flatMap(PodView::node).orElse(null),
                List.of());
    }

    private static PeerPhase phase(Optional<MemberView> member, Optional<EtcdPeerStatus> known, Optional<PodView> pod) {
        if (member.map(MemberView::healthy).orElse(false)) {
            return PeerPhase.RUNNING;
        }
        boolean wasWell = known.map(EtcdPeerStatus::phase)
                .map(phase -> phase == PeerPhase.RUNNING || phase == PeerPhase.UNHEALTHY)
                .orElse(false);
        if (wasWell) {
            return PeerPhase.UNHEALTHY;
        }
        return pod.flatMap(PodView::address).isPresent() ? PeerPhase.STARTING : PeerPhase.PENDING;
    }
}
