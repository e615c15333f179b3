package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.kubectl;
import static etcdoperator.e2e.fixture.Testbed.testbed;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRecovery;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.testrun.Acceptance;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Two of three nodes go, each with a member and its disk. Silence proves nothing; a person who deletes the nodes, or
 * declares them out of service, says that they are lost. Whoever comes back all the same finds another cluster, or, if
 * nothing was put aside yet, the one it was in.
 */
@Acceptance.Nodes
@Isolated
@Order(60)
class LostNodesIT {
    private static final EtcdClusterSpec TIED_TO_NODES = EtcdClusterSpec.of(
                    3, TestCluster.VERSION, TestCluster.storage("local"))
            .withRecovery(TestRecovery.AUTOMATIC);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";
    private static final Duration LONGER_THAN_THE_GRACE_PERIOD = Duration.ofSeconds(15);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    /** Where the operator is; its member is left. */
    private String home;

    private List<String> dying;
    private TestCluster cluster;
    private TestRecovery recovery;
    private String survivor;
    private Identity before;
    private List<String> claims;
    private Writers writers;

    @BeforeEach
    void aMemberOnEachNodeAndTheLeaderOnTheOneThatStays() {
        home = InstalledOperator.SHARED.pods().getFirst().getSpec().getNodeName();
        dying = Testbed.NODES.stream().filter(node -> !node.equals(home)).toList();
        cluster = namespace.cluster("tied", TIED_TO_NODES).create().awaitHealthy();
        assertThat(cluster.pods())
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsExactlyInAnyOrderElementsOf(Testbed.NODES);
        recovery = new TestRecovery(cluster);
        before = Identity.of(cluster);
        claims = cluster.claims().stream()
                .map(claim -> claim.getMetadata().getName())
                .toList();
        survivor = peerOn(home);
        cluster.lead(survivor);
        writers = Writers.start(cluster);
        writers.awaitMore(50);
    }

    @AfterEach
    void everyNodeIsWell() {
        writers.close();
        Testbed.NODES.forEach(node -> testbed("revive", node));
        Testbed.NODES.forEach(LostNodesIT::putBackIntoService);
        Testbed.NODES.forEach(node -> testbed("uncordon", node));
    }

    @Test
    void deletedNodesAreLostAndHarmNothingWhenTheyComeBack() {
        String left = cluster.claimOf(survivor);
        loseThePower();
        isOnlyWaitedFor();

        dying.forEach(node -> KUBE.nodes().withName(node).delete());
        assertThat(recovery.awaitLoss()).contains(dying).contains("was deleted", left);
        EtcdRestoreStatus done = recovery.awaitCompleted();
        cluster.awaitSize(3);
        assertThat(done.sourceClaim()).isEqualTo(left);
        assertThat(done.setAsideClaims()).containsExactlyInAnyOrderElementsOf(claims);
        Identity recovered = Identity.of(cluster);
        assertThat(recovered.clusterId()).isNotEqualTo(before.clusterId());
        writers.awaitMore(50);

        dying.forEach(node -> testbed("revive", node));
        forAWhile().untilAsserted(() -> {
            assertThat(Identity.of(cluster)).isEqualTo(recovered);
            assertThat(cluster.pods()).hasSize(3).allMatch(Readiness::isPodReady);
            assertThat(cluster.is("Degraded")).as(cluster.conditions()).isFalse();
            assertThat(recovery.restores()).hasSize(1);
        });
        try (Etcd etcd = Etcd.of(cluster.pods().getFirst())) {
            assertThat(etcd.members()).containsOnlyKeys(recovered.memberIds().values());
        }
        assertThat(claims).allMatch(claim -> Disk.of(cluster, claim).isThere());
        writers.awaitMore(50);
        writers.stop();
        writers.assertAllIsKept();
    }

    /** The node with what is left takes no pod, so that its data cannot be read, and nothing is put aside. */
    @Test
    void nodesThatComeBackInTheMiddleCallItOff() {
        kubectl("cordon", home);
        loseThePower();
        dying.forEach(node -> kubectl("taint", "node", node, OUT_OF_SERVICE + "=nodeshutdown:NoExecute"));
        assertThat(recovery.awaitLoss()).contains(dying).contains("is out of service");
        eventually().untilAsserted(() -> {
            assertThat(recovery.restores()).as(cluster.conditions()).hasSize(1);
            assertThat(recovery.said()).contains("finds no place");
        });
        forAWhile().untilAsserted(() -> {
            assertThat(recovery.status().stage()).isEqualTo(RestoreStage.FILLING);
            assertThat(recovery.status().setAsideClaims()).isEmpty();
            assertThat(cluster.is("Available")).isFalse();
        });

        dying.forEach(node -> testbed("revive", node));
        dying.forEach(LostNodesIT::putBackIntoService);
        eventually()
                .untilAsserted(() ->
                        assertThat(recovery.restores()).as(cluster.conditions()).isEmpty());
        testbed("uncordon", home);
        cluster.awaitSize(3);
        assertThat(Identity.of(cluster)).isEqualTo(before);
        cluster.awaitEvents("RecoveryBegun", "RecoveryCalledOff");
        assertThat(cluster.is("QuorumLost")).as(cluster.conditions()).isFalse();
        writers.awaitMore(50);
        writers.stop();
        writers.assertNothingLost();
    }

    private void loseThePower() {
        dying.forEach(node -> testbed("kill", node));
        eventually()
                .until(() -> dying.stream()
                        .map(node -> KUBE.nodes().withName(node).get())
                        .noneMatch(Readiness::isNodeReady));
        eventually()
                .untilAsserted(() -> assertThat(cluster.is("Available"))
                        .as(cluster.conditions())
                        .isFalse());
    }

    private void isOnlyWaitedFor() {
        eventually().during(LONGER_THAN_THE_GRACE_PERIOD).untilAsserted(() -> {
            assertThat(cluster.is("QuorumLost")).as(cluster.conditions()).isFalse();
            assertThat(cluster.is("Available")).as(cluster.conditions()).isFalse();
            assertThat(recovery.restores()).isEmpty();
            assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
        });
    }

    private String peerOn(String node) {
        Pod there = cluster.pods().stream()
                .filter(pod -> node.equals(pod.getSpec().getNodeName()))
                .findFirst()
                .orElseThrow();
        return there.getMetadata().getLabels().get("etcd.improbable.io/peer-name");
    }

    private static void putBackIntoService(String name) {
        Node node = KUBE.nodes().withName(name).get();
        if (node.getSpec().getTaints().stream().anyMatch(taint -> OUT_OF_SERVICE.equals(taint.getKey()))) {
            kubectl("taint", "node", name, OUT_OF_SERVICE + "-");
        }
    }
}
