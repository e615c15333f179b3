package io.improbable.etcd.e2e;

import static io.improbable.etcd.e2e.Patience.eventually;
import static io.improbable.etcd.e2e.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** Things that happen while no operator runs end the same as if one did. */
@Isolated
@Order(10)
class OperatorAwayIT {
    private static final InstalledOperator OPERATOR = InstalledOperator.SHARED;

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private TestCluster cluster;
    private Identity before;
    private Writers writers;

    /** A cluster with data, and then no operator. */
    @BeforeEach
    void leaveAClusterAlone() {
        cluster = namespace.cluster("alone", TestCluster.members(3)).create().awaitHealthy();
        before = Identity.of(cluster);
        writers = Writers.start(cluster);
        writers.awaitMore(50);
        OPERATOR.stop();
        assertThat(OPERATOR.leaseDuration())
                .as("of a lease that was given back")
                .isEqualTo(Duration.ofSeconds(1));
    }

    @AfterEach
    void bringTheOperatorBack() {
        writers.close();
        OPERATOR.start();
    }

    @Test
    void podsComeBackWithoutIt() {
        writers.awaitMore(10);
        KUBE.pods().inNamespace(namespace.name()).delete();
        writers.awaitMore(50);
        cluster.peerNames().stream()
                .map(cluster::pod)
                .map(HostProcess::of)
                .toList()
                .forEach(HostProcess::kill);
        writers.awaitMore(20);
        writers.stop();

        writers.assertNothingLost();
        OPERATOR.start();
        cluster.awaitHealthy();
        assertThat(Identity.of(cluster)).isEqualTo(before);
    }

    @Test
    void deletedWhileItIsAwayAndCreatedBeforeItIsBack() {
        writers.stop();
        cluster.delete();
        cluster.create();
        OPERATOR.start();

        comesBackWithItsData();
    }

    @Test
    void deletedWhileItIsAwayAndCreatedWhenItIsBack() {
        writers.stop();
        cluster.delete();
        cluster.awaitGone();
        OPERATOR.start();
        assertThat(cluster.claims()).hasSize(3);

        cluster.create();
        comesBackWithItsData();
    }

    /** With the namespace go the claims, so what comes is a new cluster, and nothing of the old one is in its way. */
    @Test
    void theNamespaceDeletedWhileItIsAwayAndCreatedAgain() {
        writers.stop();
        namespace.delete();
        namespace.create();
        cluster.create();
        OPERATOR.start();

        cluster.awaitHealthy();
        assertThat(cluster.status().clusterId()).isNotEqualTo(before.clusterId());
        try (Writers later = Writers.start(cluster)) {
            later.awaitMore(10);
        }
    }

    private void comesBackWithItsData() {
        eventually().until(() -> cluster.status().clusterId() != null);
        cluster.awaitHealthy();
        assertThat(Identity.of(cluster)).isEqualTo(before);
        writers.assertNothingLost();
    }
}
