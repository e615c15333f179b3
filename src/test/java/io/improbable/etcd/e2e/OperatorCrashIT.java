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
        for (int crash = 0; crash < CRASHES; crash++) {
            somewhereBetween(random);
            OPERATOR.crash();
            OPERATOR.awaitLeader();
        }

        clusters.forEach(TestCluster::awaitHealthy);
        assertThat(clusters).allSatisfy(OperatorCrashIT::beganOnce);
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
