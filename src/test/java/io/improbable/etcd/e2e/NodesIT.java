package io.improbable.etcd.e2e;

import static io.improbable.etcd.e2e.Patience.eventually;
import static io.improbable.etcd.e2e.Testbed.testbed;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** Nodes that are drained, cut off or lose their power, each with one member of three. */
@Isolated
@Order(50)
class NodesIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private TestCluster cluster;
    private Identity before;
    private Writers writers;

    @BeforeEach
    void aClusterOverThreeNodes() {
        cluster = namespace.cluster("nodes", TestCluster.members(3)).create().awaitHealthy();
        before = Identity.of(cluster);
        writers = Writers.start(cluster);
        writers.awaitMore(50);
    }

    @AfterEach
    void everyNodeIsWell() {
        writers.close();
        Testbed.NODES.forEach(node -> testbed("revive", node));
        Testbed.NODES.forEach(node -> testbed("uncordon", node));
    }

    /** One after the other: the second drain has to wait until the first member is well elsewhere. */
    @Test
    void twoAreDrained() {
        for (String node : List.of("node-1", "node-2")) {
            testbed("drain", node, "--timeout=180s");
            writers.awaitMore(20);
        }
        eventually()
                .untilAsserted(() -> assertThat(cluster.pods())
                        .hasSize(3)
                        .extracting(pod -> pod.getSpec().getNodeName())
                        .containsOnly("node-3"));
        hasEverything();
    }

    @Test
    void oneIsCutOffAndThenLosesItsPower() {
        Pod victim = memberAwayFromTheOperator();
        String node = victim.getSpec().getNodeName();

        testbed("partition", node);
        isToldOf(victim);
        writers.awaitMore(50);
        testbed("heal", node);
        cluster.awaitHealthy();

        testbed("kill", node);
        isToldOf(victim);
        writers.awaitMore(50);
        testbed("revive", node);
        hasEverything();
    }

    private void isToldOf(Pod member) {
        String peer = member.getMetadata().getLabels().get("etcd.improbable.io/peer-name");
        eventually().untilAsserted(() -> {
            assertThat(cluster.is("Available")).as(cluster.conditions()).isTrue();
            assertThat(cluster.is("Degraded")).as(cluster.conditions()).isTrue();
            assertThat(cluster.condition("Degraded").getMessage()).contains(peer);
        });
    }

    private void hasEverything() {
        cluster.awaitHealthy();
        writers.awaitMore(20);
        writers.stop();
        assertThat(Identity.of(cluster)).isEqualTo(before);
        writers.assertNothingLost();
    }

    private Pod memberAwayFromTheOperator() {
        String home = InstalledOperator.SHARED.pods().getFirst().getSpec().getNodeName();
        return cluster.pods().stream()
                .filter(pod -> !home.equals(pod.getSpec().getNodeName()))
                .findFirst()
                .orElseThrow();
    }
}
