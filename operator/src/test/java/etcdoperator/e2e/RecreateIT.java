package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.NodeGate;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A deleted cluster leaves its data, and the same manifest brings it back. */
@Execution(ExecutionMode.CONCURRENT)
class RecreateIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void deletingKeepsTheDataAndCreatingBringsItBack() {
        TestCluster cluster =
                namespace.cluster("back", TestCluster.members(3)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(100);
            writers.stop();
            Identity before = Identity.of(cluster);

            cluster.delete();
            cluster.awaitGone();
            assertThat(cluster.claims())
                    .extracting(claim -> claim.getMetadata().getName())
                    .containsExactlyElementsOf(cluster.peerNames());

            cluster.create().awaitHealthy();
            assertThat(Identity.of(cluster)).isEqualTo(before);
            writers.assertNothingLost();
        }
    }

    @Test
    void deletedAndCreatedInOneBreath() {
        TestCluster cluster =
                namespace.cluster("breath", TestCluster.members(3)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(50);
            Identity before = Identity.of(cluster);

            cluster.delete();
            cluster.create().awaitHealthy();

            writers.awaitMore(20);
            writers.stop();
            assertThat(Identity.of(cluster)).isEqualTo(before);
            writers.assertNothingLost();
        }
    }

    /** {@code kubectl delete --cascade=orphan}: what runs goes on running, and is taken back. */
    @Test
    void deletedAloneAndCreatedAgain() {
        TestCluster cluster =
                namespace.cluster("orphan", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        List<String> pods = podUids(cluster);

        Testbed.kubectl("delete", "-n", namespace.name(), "etcd/orphan", "--cascade=orphan");
        cluster.create().awaitHealthy();

        assertThat(Identity.of(cluster)).isEqualTo(before);
        assertThat(podUids(cluster)).isEqualTo(pods);
    }

    @Test
    void podsComeBackInAnyOrder() {
        try (NodeGate gate = NodeGate.of(namespace)) {
            gate.openAll();
            TestCluster cluster =
                    namespace.cluster("order", gate.threeMembers()).create().awaitHealthy();
            try (Writers writers = Writers.start(cluster)) {
                writers.awaitMore(50);
                writers.stop();
                Identity before = Identity.of(cluster);
                cluster.delete();
                cluster.awaitGone();
                gate.closeAll();

                cluster.create();
                List<String> order = new ArrayList<>(Testbed.NODES);
                Collections.shuffle(order, new Random());
                gate.open(order.get(0));
                eventually().until(() -> runningOn(cluster, order.get(0)));
                assertThat(cluster.is("Available"))
                        .as("one of three, %s", order)
                        .isFalse();
                gate.open(order.get(1));
                cluster.awaitMembers(2);
                gate.open(order.get(2));
                cluster.awaitHealthy();

                assertThat(Identity.of(cluster)).isEqualTo(before);
                writers.assertNothingLost();
            }
        }
    }

    private static List<String> podUids(TestCluster cluster) {
        return cluster.pods().stream().map(pod -> pod.getMetadata().getUid()).toList();
    }

    private static boolean runningOn(TestCluster cluster, String node) {
        return cluster.pods().stream()
                .anyMatch(pod -> node.equals(pod.getSpec().getNodeName())
                        && pod.getStatus().getContainerStatuses().stream()
                                .anyMatch(container -> container.getState().getRunning() != null));
    }
}
