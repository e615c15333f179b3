package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.testbed;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.RecoverySpec;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.testrun.Acceptance;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** Nodes that are drained, cut off or lose their power, each with one member of three of several clusters. */
@Isolated
@Order(50)
class NodesIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    /** Its volumes follow their pods. */
    private Subject roaming;
    /** Its volumes are tied to their nodes. */
    private Subject bound;
    /** Its members may be away for as long as a test takes, and longer. */
    private Subject patient;

    /** A cluster as it was before, and its clients. */
    private record Subject(TestCluster cluster, Identity before, Writers writers) {
        static Subject of(TestCluster cluster) {
            cluster.awaitHealthy();
            var subject = new Subject(cluster, Identity.of(cluster), Writers.start(cluster));
            subject.writers().awaitMore(20);
            return subject;
        }

        String peerOn(String node) {
            List<Pod> pods = cluster.pods().stream()
                    .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                    .toList();
            assertThat(pods).as("members of %s on %s", cluster.name(), node).hasSize(1);
            return pods.getFirst().getMetadata().getLabels().get("etcd.improbable.io/peer-name");
        }

        void keptEverything() {
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
    }

    @BeforeEach
    void clustersOverThreeNodes() {
        EtcdClusterSpec impatient = TestCluster.members(3).withRecovery(RecoverySpec.ofMemberTimeout("10s"));
        EtcdClusterSpec local = EtcdClusterSpec.of(3, TestCluster.VERSION, TestCluster.storage("local"))
                .withRecovery(RecoverySpec.ofMemberTimeout("10s"));
        List<TestCluster> clusters = List.of(
                namespace.cluster("roaming", impatient).create(),
                namespace.cluster("bound", local).create(),
                namespace.cluster("patient", TestCluster.members(3)).create());
        roaming = Subject.of(clusters.get(0));
        bound = Subject.of(clusters.get(1));
        patient = Subject.of(clusters.get(2));
    }

    @AfterEach
    void everyNodeIsWell() {
        all().forEach(subject -> subject.writers().close());
        Testbed.NODES.forEach(node -> testbed("revive", node));
        Testbed.NODES.forEach(node -> testbed("uncordon", node));
    }

    /** The budget makes each drain wait until the members of the one before are well again. */
    @Test
    @Acceptance.Nodes
    void allAreDrainedOneAfterAnother() {
        for (String node : Testbed.NODES) {
            testbed("drain", node, "--timeout=180s");
            all().forEach(subject -> subject.writers().awaitMore(20));
            testbed("uncordon", node);
        }
        all().forEach(subject -> {
            subject.cluster().awaitSize(3);
            assertThat(Identity.of(subject.cluster())).isEqualTo(subject.before());
            subject.keptEverything();
        });
    }

    @Test
    void oneWithTheLeadersLosesItsPower() {
        isReplacedElsewhereFor("kill", "revive");
    }

    @Test
    @Acceptance.Nodes
    void oneWithTheLeadersIsCutOff() {
        isReplacedElsewhereFor("partition", "heal");
    }

    private void isReplacedElsewhereFor(String fault, String repair) {
        String node = nodeAwayFromTheOperator();
        String roamer = roaming.peerOn(node);
        String local = bound.peerOn(node);
        String waiting = patient.peerOn(node);
        roaming.cluster().lead(roamer);
        bound.cluster().lead(local);
        patient.cluster().lead(waiting);

        testbed(fault, node);
        isReplaced(roaming, roamer, node);
        isReplaced(bound, local, node);
        isToldOf(patient, waiting);
        all().forEach(subject -> subject.writers().awaitMore(20));

        testbed(repair, node);
        leavesNoGhost(roaming, roamer);
        leavesNoGhost(bound, local);
        patient.cluster().awaitSize(3);
        assertThat(Identity.of(patient.cluster())).isEqualTo(patient.before());
        all().forEach(Subject::keptEverything);
    }

    /** On another node and another volume, for the old one may still be in use there, for all that can be known. */
    private static void isReplaced(Subject subject, String peer, String node) {
        TestCluster cluster = subject.cluster();
        String old = subject.before().memberIds().get(peer);
        eventually()
                .untilAsserted(() -> assertThat(cluster.memberIds().get(peer))
                        .as(cluster.conditions())
                        .isNotNull()
                        .isNotEqualTo(old));
        cluster.awaitMembers(3);
        assertThat(cluster.pod(peer).getSpec().getNodeName()).isNotEqualTo(node);
        assertThat(cluster.claimOf(peer)).isNotEqualTo(peer);
        eventually()
                .untilAsserted(() -> assertThat(cluster.events())
                        .anyMatch(event -> event.getReason().equals("MemberReplaced")
                                && event.getMessage().contains(peer + ": its node " + node)));
    }

    private static void isToldOf(Subject subject, String peer) {
        TestCluster cluster = subject.cluster();
        eventually().untilAsserted(() -> {
            assertThat(cluster.is("Available")).as(cluster.conditions()).isTrue();
            assertThat(cluster.is("Degraded")).as(cluster.conditions()).isTrue();
            assertThat(cluster.condition("Degraded").getMessage()).contains(peer);
        });
    }

    /** What was left on the node ends, its claim goes, and its member is never seen again. */
    private static void leavesNoGhost(Subject subject, String peer) {
        TestCluster cluster = subject.cluster();
        String old = subject.before().memberIds().get(peer);
        cluster.awaitSize(3);
        forAWhile().untilAsserted(() -> {
            assertThat(cluster.pods()).hasSize(3);
            assertThat(cluster.is("Degraded")).as(cluster.conditions()).isFalse();
            try (Etcd etcd = Etcd.of(cluster.pod(peer))) {
                assertThat(etcd.members()).hasSize(3).doesNotContainKey(old);
            }
        });
        assertThat(cluster.claims())
                .extracting(claim -> claim.getSpec().getVolumeName())
                .doesNotHaveDuplicates();
    }

    private List<Subject> all() {
        return List.of(roaming, bound, patient);
    }

    private static String nodeAwayFromTheOperator() {
        String home = InstalledOperator.SHARED.pods().getFirst().getSpec().getNodeName();
        return Testbed.NODES.stream()
                .filter(node -> !node.equals(home))
                .findFirst()
                .orElseThrow();
    }
}
