package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
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

    /** A cluster with data, and its clients. */
    private record Subject(TestCluster cluster, Identity before, Writers writers) {
        static Subject of(TestCluster cluster) {
            cluster.awaitHealthy();
            var subject = new Subject(cluster, Identity.of(cluster), Writers.start(cluster));
            subject.writers().awaitMore(50);
            return subject;
        }

        void comesBackWithItsData() {
            eventually().until(() -> cluster.status().clusterId() != null);
            cluster.awaitHealthy();
            assertThat(Identity.of(cluster)).as(cluster.name()).isEqualTo(before);
            writers.assertNothingLost();
        }
    }

    private List<Subject> subjects = List.of();

    @AfterEach
    void bringTheOperatorBack() {
        subjects.forEach(subject -> subject.writers().close());
        OPERATOR.start();
    }

    /** Three clusters at once, for each of them needs the operator away and back once. */
    @Test
    void podsThatEndAndClustersThatAreDeletedAndCreated() {
        leaveAlone("ended", "created-before", "created-after");
        Subject ended = subjects.get(0);
        TestCluster before = stopped(subjects.get(1));
        TestCluster after = stopped(subjects.get(2));

        before.delete();
        before.create();
        after.delete();
        podsComeBack(ended);
        after.awaitGone();
        OPERATOR.start();

        assertThat(after.claims()).hasSize(3);
        after.create();
        subjects.forEach(Subject::comesBackWithItsData);
    }

    /** With the namespace go the claims, so what comes is a new cluster, and nothing of the old one is in its way. */
    @Test
    void theNamespaceDeletedWhileItIsAwayAndCreatedAgain() {
        leaveAlone("alone");
        TestCluster cluster = stopped(subjects.getFirst());
        namespace.delete();
        namespace.create();
        cluster.create();
        OPERATOR.start();

        cluster.awaitHealthy();
        assertThat(cluster.status().clusterId())
                .isNotEqualTo(subjects.getFirst().before().clusterId());
        try (Writers later = Writers.start(cluster)) {
            later.awaitMore(10);
        }
    }

    /** Clusters with data, and then no operator. */
    private void leaveAlone(String... names) {
        List<TestCluster> clusters = Stream.of(names)
                .map(name -> namespace.cluster(name, TestCluster.members(3)).create())
                .toList();
        subjects = clusters.stream().map(Subject::of).toList();
        OPERATOR.stop();
        assertThat(OPERATOR.leaseDuration())
                .as("of a lease that was given back")
                .isEqualTo(Duration.ofSeconds(1));
    }

    private static TestCluster stopped(Subject subject) {
        subject.writers().stop();
        return subject.cluster();
    }

    private static void podsComeBack(Subject subject) {
        TestCluster cluster = subject.cluster();
        Writers writers = subject.writers();
        writers.awaitMore(10);
        cluster.pods().forEach(pod -> KUBE.resource(pod).delete());
        writers.awaitMore(50);
        cluster.peerNames().stream()
                .map(cluster::pod)
                .map(HostProcess::of)
                .toList()
                .forEach(HostProcess::kill);
        writers.awaitMore(20);
        writers.stop();
        writers.assertNothingLost();
        everyPodServesClients(cluster);
    }

    /** The templates of sealed members put new pods into the client service, with no operator to do it. */
    private static void everyPodServesClients(TestCluster cluster) {
        eventually().untilAsserted(() -> assertThat(cluster.pods())
                .hasSize(3)
                .allMatch(Readiness::isPodReady)
                .noneMatch(Labels::isOutOfService));
    }
}
