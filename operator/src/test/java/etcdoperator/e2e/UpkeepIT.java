package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A cluster keeps itself fit. */
@Execution(ExecutionMode.CONCURRENT)
class UpkeepIT {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String BULK = "x".repeat(500_000);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void everyMemberIsDefragmentedByScheduleAndServesAgain() {
        TestCluster cluster =
                namespace.cluster("defrag", TestCluster.members(3)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.change(Map.of("maintenance", Map.of("defragmentation", Map.of("schedule", "* * * * *"))));
            eventually().until(() -> cluster.eventReasons().contains("DefragmentFinished"));
            cluster.change(Map.of("maintenance", Map.of("defragmentation", Map.of("schedule", "0 0 1 1 *"))));
            cluster.awaitHealthy();
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(cluster.pods())
                .allSatisfy(pod ->
                        assertThat(pod.getMetadata().getLabels()).containsEntry("app.kubernetes.io/name", "etcd"));
    }

    /** History is what fills it: once that is forgotten, there is space again. */
    @Test
    void aFullDatabaseIsMadeSmallerAndTakesWritesAgain() {
        var spec = TestCluster.members(3);
        TestCluster cluster = namespace.cluster("full", spec).create().awaitHealthy();
        cluster.change(Map.of("etcd", Map.of("quotaBackendBytes", 16777216)));
        cluster.awaitHealthy();
        fill(cluster);
        eventually()
                .untilAsserted(
                        () -> assertThat(cluster.eventReasons()).contains("NoSpace", "FreeSpaceStarted", "AlarmEnded"));
        cluster.awaitHealthy();
        put(cluster, "after", "x");
        assertThat(cluster.is("Degraded")).isFalse();
    }

    /** Nobody can write while it lasts; it ends once all members were found to have the same data. */
    @Test
    void anAlarmForNothingIsEnded() {
        TestCluster cluster =
                namespace.cluster("alarm", TestCluster.members(3)).create().awaitHealthy();
        try (Etcd any = Etcd.of(cluster.pod("alarm-0"))) {
            any.cryCorrupt(cluster.memberIds().get("alarm-1"));
        }
        eventually().untilAsserted(() -> assertThat(cluster.eventReasons()).contains("Corrupt", "AlarmEnded"));
        cluster.awaitHealthy();
        put(cluster, "after", "x");
    }

    /** The file of a running member is changed under it, as a bad disk would: nobody else has these bytes. */
    @Test
    void aMemberWhoseDataDiffersIsReplaced() {
        TestCluster cluster =
                namespace.cluster("differs", TestCluster.members(3)).create().awaitHealthy();
        String victim = cluster.peerNames().stream()
                .filter(peer -> !peer.equals(cluster.status().leader()))
                .findFirst()
                .orElseThrow();
        put(cluster, "honest", "right-right-right");
        String lost = cluster.memberIds().get(victim);
        Disk disk = Disk.of(cluster, cluster.claimOf(victim));
        eventually().until(() -> {
            disk.replaceInDatabase("right-right-right", "wrong-wrong-wrong");
            put(cluster, "other", "x"); // or etcd would go on telling what it has in memory
            return read(cluster, victim, "honest").equals("wrong-wrong-wrong");
        });
        cluster.change(Map.of("maintenance", Map.of("hashCheck", Map.of("interval", "1m"))));
        eventually()
                .untilAsserted(() -> assertThat(cluster.events())
                        .as(cluster.conditions())
                        .anyMatch(event -> event.getReason().equals("MemberReplaced")
                                && event.getMessage().contains("its data differs")));
        cluster.awaitHealthy();
        assertThat(cluster.memberIds()).doesNotContainValue(lost);
    }

    /** What this member has, whatever the others do. */
    private static String read(TestCluster cluster, String peer, String key) {
        try (Etcd member = Etcd.of(cluster.pod(peer))) {
            return member.read(key).get(key).getValue().toStringUtf8();
        }
    }

    private static void fill(TestCluster cluster) {
        eventually().until(() -> {
            try {
                put(cluster, "bulk", BULK);
                return false;
            } catch (RuntimeException e) {
                return e.getMessage().contains("database space exceeded");
            }
        });
    }

    private static void put(TestCluster cluster, String key, String value) {
        try (Etcd any = Etcd.of(cluster.pod(cluster.name() + "-0"))) {
            any.put(key, value, PATIENCE);
        }
    }
}
