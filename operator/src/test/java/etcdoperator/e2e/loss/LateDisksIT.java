package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRecovery;
import etcdoperator.e2e.fixture.Writers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Disks that are mounted late look empty to etcd, which does not look again for a while: nothing must be lost by that. */
class LateDisksIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void mostDisksAreBackWhenTheRecoveryHasBegun() {
        TestCluster cluster = namespace
                .cluster("late", TestCluster.members(3).withRecovery(TestRecovery.AUTOMATIC))
                .create()
                .awaitHealthy();
        Identity before = Identity.of(cluster);
        TestRecovery recovery = new TestRecovery(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(100);
            // The one that is left lacks what the others have agreed on since.
            HostProcess left = HostProcess.of(cluster.pod("late-0"));
            cluster.lead("late-1");
            left.freeze();
            writers.awaitMore(20);
            List<Disk> disks = Disk.unmount(cluster, List.of("late-1", "late-2"));
            left.thaw();

            assertThat(recovery.awaitLoss()).contains("late-1 (its volume is empty)", "late-2 (its volume is empty)");
            eventually()
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !recovery.restores().isEmpty());
            disks.forEach(Disk::mount);

            eventually().untilAsserted(() -> {
                assertThat(cluster.eventReasons()).contains("RecoveryCalledOff");
                assertThat(recovery.restores()).isEmpty();
            });
            cluster.awaitHealthy();
            writers.awaitMore(50);
            writers.stop();
            writers.assertAllIsKept();
            assertThat(Identity.of(cluster)).isEqualTo(before);
            assertThat(cluster.is("QuorumLost")).as(cluster.conditions()).isFalse();
        }
    }
}
