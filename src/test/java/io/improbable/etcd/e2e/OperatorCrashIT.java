package io.improbable.etcd.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** An operator that ends at the worst moments. */
@Isolated
@Order(20)
class OperatorCrashIT {
    private static final InstalledOperator OPERATOR = InstalledOperator.SHARED;
    private static final int CRASHES = 4;

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @AfterEach
    void oneOperatorAgain() {
        OPERATOR.start();
    }

    @Test
    void whileClustersBegin() {
        var random = new Random();
        List<TestCluster> clusters = IntStream.range(0, 3)
                .mapToObj(number -> namespace.cluster("born-" + (char) ('a' + number), TestCluster.members(3)))
                .toList();
        clusters.forEach(TestCluster::create);
        crashAgainAndAgain(random);

        clusters.forEach(TestCluster::awaitHealthy);
        assertThat(clusters).allSatisfy(OperatorCrashIT::beganOnce);
    }

    /** Nothing is left of a step that was cut short, and none is done twice. */
    @Test
    void whileClustersGrowShrinkAndHeal() {
        var random = new Random();
        TestCluster grows = namespace.cluster("grows", TestCluster.members(1)).create();
        TestCluster shrinks =
                namespace.cluster("shrinks", TestCluster.members(5)).create();
        TestCluster heals = namespace.cluster("heals", TestCluster.members(3)).create();
        List.of(grows, shrinks, heals).forEach(TestCluster::awaitHealthy);
        try (Writers growing = Writers.start(grows);
                Writers shrinking = Writers.start(shrinks);
                Writers healing = Writers.start(heals)) {
            List<Writers> all = List.of(growing, shrinking, healing);
            all.forEach(writers -> writers.awaitMore(20));
            grows.scale(3);
            shrinks.scale(2);
            Testbed.kubectl("delete", "pvc", "-n", namespace.name(), "heals-1", "--wait=false");
            crashAgainAndAgain(random);

            grows.awaitSize(3);
            shrinks.awaitSize(2);
            heals.awaitSize(3);
            all.forEach(writers -> writers.awaitMore(20));
            all.forEach(Writers::stop);
            all.forEach(Writers::assertNothingLost);
        }
    }

    private static void crashAgainAndAgain(Random random) {
        for (int crash = 0; crash < CRASHES; crash++) {
            somewhereBetween(random);
            OPERATOR.crash();
            OPERATOR.awaitLeader();
        }
    }

    /** Had one begun twice, there would be claims or members of two bootstraps. */
    private static void beganOnce(TestCluster cluster) {
        assertThat(cluster.claims())
                .hasSize(3)
                .allSatisfy(claim -> assertThat(claim.getMetadata().getAnnotations())
                        .containsEntry(
                                "etcd.improbable.io/bootstrap-token",
                                cluster.object().getMetadata().getUid())
                        .containsEntry(
                                "etcd.improbable.io/cluster-id",
                                cluster.status().clusterId()));
        assertThat(cluster.memberIds()).hasSize(3);
    }

    /** Anything from at once to when the clusters are up. */
    private static void somewhereBetween(Random random) {
        Awaitility.await().pollDelay(Duration.ofMillis(random.nextInt(2000))).until(() -> true);
    }
}
