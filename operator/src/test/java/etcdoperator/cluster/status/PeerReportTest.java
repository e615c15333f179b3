package etcdoperator.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.view.ClusterView;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long a member has been unwell is what decides over its replacement. */
class PeerReportTest {
    private static final String WELL = "{like: settled, cluster: {replicas: 1}}";
    private static final String UNWELL =
            "{like: settled, cluster: {replicas: 1}, members: {c-0: {role: leader, unhealthy: no connection}}}";
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String EARLIER = "2026-01-01T11:00:00Z";

    @Test
    void aMemberThatAnswersIsHealthy() {
        EtcdPeerStatus status = report(WELL, null);
        assertThat(condition(status).getStatus()).isEqualTo("True");
        assertThat(condition(status).getReason()).isEqualTo("Answers");
        assertThat(status.unwellSince()).isEmpty();
        assertThat(status.node()).isEqualTo("node-1");
    }

    @Test
    void theClockStartsWhenAMemberIsFirstSeenUnwell() {
        EtcdPeerStatus status = report(UNWELL, report(WELL, null));
        assertThat(condition(status).getReason()).isEqualTo("Silent");
        assertThat(status.unwellSince()).contains(NOW);
    }

    @Test
    void theClockGoesOnAcrossPassesAndOperators() {
        EtcdPeerStatus before = report(UNWELL, null);
        condition(before).setLastTransitionTime(EARLIER);
        assertThat(report(UNWELL, before).unwellSince()).contains(Instant.parse(EARLIER));
    }

    @Test
    void theClockStopsWithTheFirstGoodAnswer() {
        EtcdPeerStatus before = report(UNWELL, null);
        condition(before).setLastTransitionTime(EARLIER);
        EtcdPeerStatus well = report(WELL, before);
        assertThat(condition(well).getLastTransitionTime()).isEqualTo(NOW.toString());
        assertThat(report(UNWELL, well).unwellSince()).contains(NOW);
    }

    /** Else it would be written anew with each answer. */
    @Test
    void whyAMemberIsUnwellIsTheClustersToTell() {
        assertThat(report(UNWELL.replace("no connection", "no answer in time"), null))
                .isEqualTo(report(UNWELL, null));
    }

    @Test
    void whoIsStoppedIsSaidToBe() {
        EtcdPeerStatus status = report(
                "{like: settled, cluster: {replicas: 1}, peers: {c-0: {stopped: true}}, pods: {c-0: gone}, unreachable: x}",
                report(WELL, null));
        assertThat(condition(status).getReason()).isEqualTo("Stopped");
        assertThat(condition(status).getMessage()).isEqualTo("It is stopped");
        assertThat(status.node()).isEqualTo("node-1");
    }

    @Test
    void whoWasNotSeenIsNotSaidToBeWell() {
        EtcdPeerStatus status = report("{like: settled, cluster: {replicas: 1}, unreachable: x}", report(WELL, null));
        assertThat(condition(status).getStatus()).isEqualTo("False");
        assertThat(condition(status).getMessage()).isEqualTo("Its member has not been seen");
    }

    private static EtcdPeerStatus report(String yaml, @Nullable EtcdPeerStatus before) {
        ClusterView view = ScenarioView.read(Serialization.unmarshal("---\n" + yaml, JsonNode.class))
                .view();
        return PeerReport.of(view.peers().getFirst(), before, view);
    }

    private static Condition condition(EtcdPeerStatus status) {
        assertThat(status.conditions()).hasSize(1);
        assertThat(status.conditions().getFirst().getType()).isEqualTo("Healthy");
        return status.conditions().getFirst();
    }
}
