package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Volumes that are gone when a cluster comes back: those with data start, and nothing empty ever votes. With a quorum
 * of them the rest is replaced.
 */
@Execution(ExecutionMode.CONCURRENT)
class LostVolumesIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void oneOfThreeIsGone() {
        TestCluster cluster =
                namespace.cluster("one", TestCluster.members(3)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(100);
            writers.stop();
            Identity before = Identity.of(cluster);
            cluster.delete();
            cluster.awaitGone();
            cluster.deleteClaim("one-1");

            cluster.create().awaitSize(3);
            writers.assertNothingLost();
            assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
            assertThat(cluster.memberIds())
                    .containsEntry("one-0", before.memberIds().get("one-0"))
                    .containsEntry("one-2", before.memberIds().get("one-2"))
                    .doesNotContainValue(before.memberIds().get("one-1"));
        }
    }

    @Test
    void twoOfThreeAreGone() {
        TestCluster cluster =
                namespace.cluster("two", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        cluster.delete();
        cluster.awaitGone();
        cluster.deleteClaim("two-0");
        cluster.deleteClaim("two-2");

        cluster.create();
        eventually().untilAsserted(() -> saysDegraded(cluster, "two-0"));
        eventually().untilAsserted(() -> saysDegraded(cluster, "two-2"));
        forAWhile().untilAsserted(() -> {
            assertThat(cluster.is("Available")).isFalse();
            assertThat(claimNames(cluster)).containsExactly("two-1");
            assertThat(cluster.status().clusterId()).isIn(null, before.clusterId());
        });
    }

    @Test
    void withAllGoneOnlyANewClusterBeginsAnew() {
        TestCluster cluster =
                namespace.cluster("all", TestCluster.members(1)).create().awaitHealthy();
        Identity before = Identity.of(cluster);

        deleteClaimsUnderTheLivingCluster(cluster);
        eventually()
                .untilAsserted(() ->
                        assertThat(cluster.condition("Degraded").getReason()).isEqualTo("MajorityLost"));
        forAWhile().untilAsserted(() -> {
            assertThat(cluster.is("Available")).isFalse();
            assertThat(cluster.claims()).isEmpty();
            assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
        });

        cluster.delete();
        cluster.awaitGone();
        cluster.create().awaitHealthy();
        assertThat(cluster.status().clusterId()).isNotEqualTo(before.clusterId());
    }

    private static void deleteClaimsUnderTheLivingCluster(TestCluster cluster) {
        KUBE.persistentVolumeClaims().inNamespace(cluster.namespace()).delete();
        KUBE.resources(EtcdPeer.class).inNamespace(cluster.namespace()).delete();
        eventually().until(() -> cluster.claims().isEmpty());
    }

    private static void saysDegraded(TestCluster cluster, String missing) {
        assertThat(cluster.is("Degraded")).as(cluster.conditions()).isTrue();
        assertThat(cluster.condition("Degraded").getMessage()).contains(missing);
    }

    private static List<String> claimNames(TestCluster cluster) {
        return cluster.claims().stream()
                .map(claim -> claim.getMetadata().getName())
                .toList();
    }
}
