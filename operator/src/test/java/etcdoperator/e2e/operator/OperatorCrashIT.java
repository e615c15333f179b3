package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRecovery;
import etcdoperator.e2e.fixture.TestRestore;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.testrun.Acceptance;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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

    /** Each of three: a backup, a restore into a new cluster, and one in place; none is done twice or left half done. */
    @Test
    @Acceptance.Operator
    void whileBackupsAreTakenAndRestored() {
        var random = new Random();
        Bucket bucket = Bucket.open(namespace);
        TestCluster origin =
                namespace.cluster("origin", TestCluster.members(3)).create().awaitHealthy();
        Etcd.fill(origin, 1);
        TestBackup.create(namespace, "first", "{cluster: origin}", bucket.block("first.db"))
                .awaitCompleted();

        TestBackup second = TestBackup.create(namespace, "second", "{cluster: origin}", bucket.block("second.db"));
        TestRestore copied = TestRestore.create(namespace, "copied", "backup: first", "copy", 3);
        TestRestore replaced = TestRestore.inPlace(namespace, "replaced", "backup: first", "origin");
        crashAgainAndAgain(random);

        second.awaitCompleted();
        copied.awaitCompleted();
        assertThat(replaced.awaitCompleted().setAsideClaims()).hasSize(3);
        namespace.cluster("copy", TestCluster.members(3)).awaitSize(3);
        origin.awaitHealthy();
        assertThat(bucket.objects()).containsExactly("first.db", "first.db.json", "second.db", "second.db.json");
    }

    /** One from the disk that is left, one from a backup; the operator ends wherever either has come a step further. */
    @Test
    @Acceptance.Operator
    void whileClustersRecoverFromTheLossOfTheirMajority() {
        Bucket bucket = Bucket.open(namespace);
        EtcdClusterSpec automatic = TestCluster.members(3).withRecovery(TestRecovery.AUTOMATIC);
        TestCluster left = namespace.cluster("left", automatic).create();
        TestCluster gone = namespace.cluster("gone", automatic).create().awaitHealthy();
        left.awaitHealthy().lead("left-0");
        Etcd.fill(gone, 1);
        TestBackup.create(namespace, "night", "{cluster: gone}", bucket.block("night.db"))
                .awaitCompleted();
        try (Writers writers = Writers.start(left)) {
            writers.awaitMore(50);
            Disk.loseWithClaims(left, List.of("left-1", "left-2"));
            Disk.loseWithClaims(gone, gone.peerNames());
            List<TestRecovery> both = List.of(new TestRecovery(left), new TestRecovery(gone));
            crashAtEachStep(both);

            both.forEach(TestRecovery::awaitCompleted);
            left.awaitSize(3);
            gone.awaitSize(3);
            writers.awaitMore(20);
            writers.stop();
            writers.assertAllIsKept();
        }
        try (Etcd etcd = Etcd.of(gone.pod("gone-0"))) {
            assertThat(etcd.read("filler/")).isNotEmpty();
        }
    }

    private static void crashAtEachStep(List<TestRecovery> recoveries) {
        Set<String> seen = new HashSet<>();
        eventually().pollInterval(Duration.ofMillis(20)).until(() -> {
            for (TestRecovery recovery : recoveries) {
                if (!recovery.isCompleted() && seen.add(recovery.cluster().name() + " " + recovery.moment())) {
                    OPERATOR.crash();
                    OPERATOR.awaitLeader();
                }
            }
            return recoveries.stream().allMatch(TestRecovery::isCompleted);
        });
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
