package etcdoperator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.etcd.Pace;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimetableTest {
    private static final String THREE_VOTERS =
            "before: {members: {c-0: {id: a0, role: Leader}, c-1: {id: a1, role: Voter}, c-2: {id: a2, role: Voter}}}\n";

    private static Optional<Duration> next(String view) {
        return Timetable.next(view("cluster: {replicas: 1}\n" + view));
    }

    private static ClusterView view(String view) {
        return ScenarioView.read(Serialization.unmarshal("like: settled\n" + view, JsonNode.class))
                .view();
    }

    @Test
    void whatIsFirstIsAwaited() {
        assertThat(next("auth: {}")).isEmpty();
        assertThat(next("auth: {nextIn: PT5M}")).contains(Duration.ofMinutes(5));
        assertThat(next("auth: {nextIn: PT5M}\ntls: {nextIn: PT1M}")).contains(Duration.ofMinutes(1));
        assertThat(next("auth: {nextIn: PT5M}\ntls: {nextIn: PT1H}")).contains(Duration.ofMinutes(5));
    }

    @Test
    void whoHasFewerPodsThanAQuorumIsWorried() {
        ClusterView alone = view(THREE_VOTERS + "pods: {c-1: gone, c-2: {deleting: true}}");
        assertThat(Timetable.pace(alone, false)).isEqualTo(Pace.WORRIED);
        assertThat(Timetable.pace(alone, true)).isEqualTo(Pace.CALM);
        assertThat(Timetable.pace(view(THREE_VOTERS + "pods: {c-2: gone}"), false))
                .isEqualTo(Pace.EAGER);
        assertThat(Timetable.pace(view("pods: {c-1: gone, c-2: gone}"), false)).isEqualTo(Pace.EAGER);
    }

    /** Nobody reads the metrics of a cluster whose members stay. */
    @Test
    void metricsAreReadWhileMembersComeAndGo() {
        for (String type : new String[] {"ScaleUp", "ScaleDown", "Replace", "Expel"}) {
            assertThat(Timetable.pace(view("operation: " + type), false)).isEqualTo(Pace.THOROUGH);
        }
        for (String type : new String[] {"Roll", "Bootstrap", "Resume", "Upgrade", "Accounts"}) {
            assertThat(Timetable.pace(view("operation: " + type), false)).isEqualTo(Pace.EAGER);
        }
        assertThat(Timetable.pace(view("operation: Replace"), true)).isEqualTo(Pace.CALM);
    }

    @Test
    void whatHasToLastForAWhileIsLookedAtThen() {
        Duration longest = Duration.ofSeconds(10);
        assertThat(Timetable.within(longest, view(""))).isEqualTo(longest);
        assertThat(
                        Timetable.within(
                                longest,
                                view(
                                        "members: {c-0: {role: leader, metrics: {disconnected: [c-1], for: PT3S}}, c-1: {metrics: {}}}")))
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(
                        Timetable.within(
                                longest,
                                view(
                                        "members: {c-0: {role: leader, committed: 9}, c-1: {unhealthy: no answer, metrics: {committed: 9, begun: PT2S, still: PT2S}}}")))
                .isEqualTo(Duration.ofSeconds(1));
    }
}
