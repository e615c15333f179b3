package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.MemberStatus;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.client.readiness.Readiness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every line of etcd, and the sizes that are out of the ordinary. */
@Execution(ExecutionMode.CONCURRENT)
class VersionsAndSizesIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
    void everyLineComesUpAndBecomesReadyByTheProbeItHas(String version) {
        TestCluster cluster = namespace
                .cluster("lines", TestCluster.members(3).withVersion(version))
                .create()
                .awaitHealthy();

        assertThat(cluster.status().members()).extracting(MemberStatus::version).containsOnly(version);
        eventually().untilAsserted(() -> assertThat(cluster.pods()).allMatch(Readiness::isPodReady));
        Probe readiness =
                cluster.pods().getFirst().getSpec().getContainers().getFirst().getReadinessProbe();
        if (version.startsWith("3.4")) {
            assertThat(readiness.getTcpSocket().getPort().getIntVal()).isEqualTo(2379);
        } else {
            assertThat(readiness.getHttpGet().getPath()).isEqualTo("/readyz?exclude=linearizable_read");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void oddSizesComeUpWithoutAWarning(int size) {
        TestCluster cluster =
                namespace.cluster("odd", TestCluster.members(size)).create().awaitHealthy();

        cluster.awaitEvents("BootstrapFinished");
        assertThat(cluster.events()).extracting(Event::getType).containsOnly("Normal");
    }

    @Test
    void anEvenSizeComesUpWithAWarning() {
        TestCluster cluster =
                namespace.cluster("even", TestCluster.members(2)).create().awaitHealthy();

        eventually()
                .untilAsserted(() -> assertThat(cluster.events())
                        .filteredOn(event -> event.getReason().equals("EvenReplicas"))
                        .singleElement()
                        .satisfies(event -> assertThat(event.getType()).isEqualTo("Warning")));
    }

    @Test
    void aClusterOfNoMembersSleeps() {
        TestCluster cluster =
                namespace.cluster("asleep", TestCluster.members(0)).create();

        eventually()
                .untilAsserted(() ->
                        assertThat(cluster.condition("Available").getReason()).isEqualTo("Asleep"));
        forAWhile().until(() -> cluster.pods().isEmpty() && cluster.claims().isEmpty());
    }
}
