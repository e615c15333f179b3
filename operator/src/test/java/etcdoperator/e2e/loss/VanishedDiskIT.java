package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.RecoverySpec;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A local disk that vanishes behind its claim, on a node that is well: no pod comes up on it, and none can tell why. */
class VanishedDiskIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void itIsNamedAndItsMemberIsReplaced() {
        TestCluster cluster = namespace
                .cluster(
                        "disk",
                        EtcdClusterSpec.of(3, TestCluster.VERSION, TestCluster.storage("local"))
                                .withRecovery(RecoverySpec.ofMemberTimeout("20s")))
                .create()
                .awaitHealthy();
        String claim = cluster.claimOf("disk-1");
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            Disk.of(cluster, claim).vanish();
            KUBE.resource(cluster.pod("disk-1")).delete();

            // The condition says so too, until the replacement begins: here that is the same pass.
            eventually()
                    .untilAsserted(() -> assertThat(cluster.events()).anySatisfy(event -> {
                        assertThat(event.getReason()).isEqualTo("VolumeNotMounted");
                        assertThat(event.getMessage())
                                .contains(
                                        "of claim " + claim,
                                        "does not exist",
                                        "delete the claim if the disk is gone for good");
                    }));
            eventually()
                    .untilAsserted(() -> assertThat(cluster.events())
                            .anyMatch(event -> event.getReason().equals("MemberReplaced")
                                    && event.getMessage().contains("its volume could not be mounted")));
            cluster.awaitSize(3);
            cluster.awaitHealthy();
            assertThat(cluster.claimOf("disk-1")).isNotEqualTo(claim);
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
    }
}
