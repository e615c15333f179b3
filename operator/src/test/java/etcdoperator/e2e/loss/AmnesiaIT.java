package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.testbed;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.NodeGate;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The trial in which operators lose acknowledged writes. One member lags behind, everything stops, the volume of an
 * up-to-date member is emptied, and that one starts first, when there is nobody yet who knows it; then the laggard. If
 * the empty one may vote, the two are a quorum that has never heard of the latest writes.
 */
@Execution(ExecutionMode.CONCURRENT)
class AmnesiaIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    /** Who plays which part. */
    private record Cast(String laggard, String emptied, String survivor) {
        static Cast of(TestCluster cluster) {
            List<String> followers = new ArrayList<>(cluster.peerNames());
            String leader = cluster.status().leader();
            followers.remove(leader);
            return new Cast(followers.get(0), leader, followers.get(1));
        }
    }

    @Test
    void withPodsMadeAnewByTheirReplicaSets() {
        try (NodeGate gate = NodeGate.of(namespace)) {
            gate.openAll();
            TestCluster cluster =
                    namespace.cluster("anew", gate.threeMembers()).create().awaitHealthy();
            try (Writers writers = Writers.start(cluster)) {
                Cast cast = Cast.of(cluster);
                leaveBehind(cast.laggard(), cluster, writers);

                gate.closeAll();
                List<Pod> stopped = cluster.pods();
                List<HostProcess> processes =
                        stopped.stream().map(HostProcess::of).toList();
                stopped.forEach(pod -> KUBE.resource(pod).withGracePeriod(0).delete());
                processes.forEach(HostProcess::awaitEnd);
                testbed("lose-disk", namespace.name(), cast.emptied());
                gate.open(nodeOf(stopped, cast.emptied()));
                refusesToStart(cluster, cast.emptied());
                gate.open(nodeOf(stopped, cast.laggard()));

                servesNothing(cluster, writers);
                gate.open(nodeOf(stopped, cast.survivor()));
                hasEverything(cluster, writers, cast.emptied());
            }
        }
    }

    @Test
    void withContainersRestartedInTheSamePods() {
        TestCluster cluster =
                namespace.cluster("same", TestCluster.members(3)).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            Cast cast = Cast.of(cluster);
            HostProcess laggard = leaveBehind(cast.laggard(), cluster, writers);
            List<String> pods = List.of(podName(cluster, cast.laggard()), podName(cluster, cast.survivor()));

            HostProcess survivor = HostProcess.of(cluster.pod(cast.survivor()));
            HostProcess emptied = HostProcess.of(cluster.pod(cast.emptied()));
            survivor.freeze();
            emptied.freeze();
            testbed("lose-disk", namespace.name(), cast.emptied());
            emptied.kill();
            refusesToStart(cluster, cast.emptied());
            laggard.kill();

            servesNothing(cluster, writers);
            survivor.kill();
            hasEverything(cluster, writers, cast.emptied());
            assertThat(List.of(podName(cluster, cast.laggard()), podName(cluster, cast.survivor())))
                    .isEqualTo(pods);
        }
    }

    /** From here on one member hears nothing, while the two others acknowledge writes. */
    private static HostProcess leaveBehind(String peer, TestCluster cluster, Writers writers) {
        writers.awaitMore(50);
        HostProcess process = HostProcess.of(cluster.pod(peer));
        process.freeze();
        writers.awaitMore(50);
        writers.stop();
        return process;
    }

    private static void refusesToStart(TestCluster cluster, String peer) {
        eventually().untilAsserted(() -> {
            ContainerStatus container =
                    cluster.pod(peer).getStatus().getContainerStatuses().getFirst();
            assertThat(container.getRestartCount()).isGreaterThanOrEqualTo(2);
            assertThat(container.getLastState().getTerminated().getExitCode()).isNotZero();
        });
    }

    private static void servesNothing(TestCluster cluster, Writers writers) {
        eventually().until(() -> !cluster.is("Available"));
        forAWhile().untilAsserted(() -> {
            assertThat(cluster.is("Available")).isFalse();
            assertThat(writers.canWrite()).isFalse();
        });
    }

    /** Survivor and laggard are the quorum that remembers; who lost its data is replaced by them. */
    private static void hasEverything(TestCluster cluster, Writers writers, String emptied) {
        String old = cluster.memberIds().get(emptied);
        cluster.awaitSize(3);
        writers.assertNothingLost();
        assertThat(cluster.memberIds()).doesNotContainValue(old);
    }

    private static String nodeOf(List<Pod> pods, String peer) {
        return pods.stream()
                .filter(pod -> peer.equals(pod.getMetadata().getLabels().get("etcd.improbable.io/peer-name")))
                .map(pod -> pod.getSpec().getNodeName())
                .findFirst()
                .orElseThrow();
    }

    private static String podName(TestCluster cluster, String peer) {
        return cluster.pod(peer).getMetadata().getName();
    }
}
