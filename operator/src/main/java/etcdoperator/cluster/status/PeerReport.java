package etcdoperator.cluster.status;

import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.PeerPhase;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.Health.Healthy;
import etcdoperator.cluster.view.Membership.Health.Unhealthy;
import etcdoperator.cluster.view.Membership.Health.Unknown;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.domain.EtcdVersion;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an EtcdPeer's status says: the cluster's pass knows its member, so it writes it. */
public final class PeerReport {

    private PeerReport() {}

    public static EtcdPeerStatus of(PeerView peer, @Nullable EtcdPeerStatus before, ClusterView view) {
        Optional<MemberView> member = view.membership() instanceof Reachable reachable
                ? reachable.memberOn(peer.claimName())
                : Optional.empty();
        Optional<EtcdPeerStatus> known = Optional.ofNullable(before);
        return new EtcdPeerStatus(
                member.flatMap(MemberView::version)
                        .map(EtcdVersion::toString)
                        .or(() -> known.map(EtcdPeerStatus::serverVersion))
                        .orElse(null),
                member.map(m -> m.id().toString())
                        .or(() -> known.map(EtcdPeerStatus::memberId))
                        .orElse(null),
                phase(member, known, view.podOf(peer)),
                view.podOf(peer)
                        .flatMap(PodView::node)
                        .or(() -> known.map(EtcdPeerStatus::node))
                        .orElse(null),
                List.of(health(peer, member, known, view)));
    }

    private static Condition health(
            PeerView peer, Optional<MemberView> member, Optional<EtcdPeerStatus> known, ClusterView view) {
        String status = member.map(MemberView::healthy).orElse(false) ? "True" : "False";
        String why =
                member.map(PeerReport::words).orElse(peer.stopped() ? "It is stopped" : "Its member has not been seen");
        String since = known.stream()
                .flatMap(before -> before.conditions().stream())
                .filter(condition -> condition.getType().equals(EtcdPeerStatus.HEALTHY)
                        && condition.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> view.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(EtcdPeerStatus.HEALTHY)
                .withStatus(status)
                .withReason("True".equals(status) ? "Answers" : peer.stopped() ? "Stopped" : "Silent")
                .withMessage(why)
                .withLastTransitionTime(since)
                .build();
    }

    private static String words(MemberView member) {
        return switch (member.health()) {
            case Healthy healthy -> "The member answers and is well";
            case Unknown unknown -> "The member was not asked yet";
            // Why is the cluster's to tell: it changes with each answer, and this would be written each time.
            case Unhealthy(String why) -> "The member does not answer, or not well";
        };
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
