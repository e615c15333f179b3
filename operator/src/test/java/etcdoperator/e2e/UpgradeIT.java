package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.MemberStatus;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.ManagedTls;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Real etcd of every line, one after another, up and down. */
@Execution(ExecutionMode.CONCURRENT)
class UpgradeIT {
    private static final String V34 = "3.4.23";
    private static final String V35 = "3.5.35";
    private static final String V36 = "3.6.16";
    private static final String V37 = "3.7.3";
    private static final String MISSING = "3.7.99";

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void everyLineUnderWritesUpAndBackByOne() {
        TestCluster cluster = create("busy", V34);
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            for (String version : List.of(V35, V36, V37, V36)) {
                cluster.change(Map.of("version", version));
                runs(cluster, version);
                writers.awaitMore(20);
            }
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(Identity.of(cluster)).isEqualTo(before);
        cluster.awaitEvents("UpgradeStarted", "UpgradeFinished", "DowngradeStarted", "DowngradeFinished");
        cluster.awaitEvents("DowngradeEnabled", "MemberUpdated", "MemberRestarted", "LeaderMoved");
    }

    /**
     * No raft snapshot would be written for weeks, and the next minor but one could not read the log. All of it by TLS,
     * which each line has to know how to speak.
     */
    @Test
    void everyLineWithHardlyAWrite() {
        TestCluster cluster = namespace
                .cluster("quiet", TestCluster.members(3).withVersion(V34).withTls(ManagedTls.USUAL))
                .create()
                .awaitHealthy();
        put(cluster, "first");
        for (String version : List.of(V35, V36, V37, V36)) {
            cluster.change(Map.of("version", version));
            runs(cluster, version);
            put(cluster, version);
        }
        try (Etcd any = Etcd.of(cluster.pod("quiet-0"))) {
            assertThat(any.read("of/").keySet())
                    .containsExactlyInAnyOrder("of/first", "of/" + V35, "of/" + V36, "of/" + V37);
        }
    }

    @Test
    void aVersionThatIsNotThereStopsTheRollAndTheOldOneHealsIt() {
        TestCluster cluster = create("missing", V36);
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.change(Map.of("version", MISSING));
            eventually()
                    .untilAsserted(
                            () -> assertThat(cluster.condition("Degraded").getReason())
                                    .as(cluster.conditions())
                                    .isEqualTo("ImageUnavailable"));
            writers.awaitMore(50);
            assertThat(cluster.pods())
                    .filteredOn(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                    .extracting(pod -> pod.getSpec().getContainers().getFirst().getImage())
                    .filteredOn(image -> image.endsWith(V36))
                    .hasSize(2);

            cluster.change(Map.of("version", V36));
            runs(cluster, V36);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(Identity.of(cluster)).isEqualTo(before);
    }

    @Test
    void oneCanChangeOnesMindHalfWay() {
        TestCluster cluster = create("wavering", V35);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.change(Map.of("version", V36));
            eventually()
                    .until(() -> cluster.status().members().stream().anyMatch(member -> V36.equals(member.version())));
            cluster.change(Map.of("version", V35));
            runs(cluster, V35);
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
    }

    @Test
    void aJumpIsRefusedWithThePath() {
        TestCluster cluster = create("jump", V35);
        assertThatThrownBy(() -> cluster.change(Map.of("version", V37)))
                .hasMessageContaining("first set spec.version to 3.6.11 or a later 3.6");
    }

    private TestCluster create(String name, String version) {
        return namespace
                .cluster(name, TestCluster.members(3).withVersion(version))
                .create()
                .awaitHealthy();
    }

    private static void runs(TestCluster cluster, String version) {
        cluster.awaitHealthy();
        assertThat(cluster.status().members())
                .as(cluster.conditions())
                .extracting(MemberStatus::version)
                .containsOnly(version);
    }

    private static void put(TestCluster cluster, String key) {
        try (Etcd any = Etcd.of(cluster.pod(cluster.name() + "-0"))) {
            any.put("of/" + key, "x", Duration.ofSeconds(5));
        }
    }
}
