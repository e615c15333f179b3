package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.RecoverySpec;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Writers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members that lost their disks are replaced, those that are merely slow never, and quorum is never at stake. */
@Execution(ExecutionMode.CONCURRENT)
class HealingIT {
    /** As impatient as can be: who is replaced without cause would be so in time for these tests. */
    private static final EtcdClusterSpec IMPATIENT =
            TestCluster.members(3).withRecovery(RecoverySpec.ofMemberTimeout("10s"));

    private static final Duration SECONDS = Duration.ofSeconds(15);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private TestCluster cluster;
    private Identity before;
    private Writers writers;

    @BeforeEach
    void threeMembersAndClients() {
        cluster = namespace.cluster("heal", IMPATIENT).create().awaitHealthy();
        before = Identity.of(cluster);
        writers = Writers.start(cluster);
        writers.awaitMore(20);
    }

    @AfterEach
    void clientsGo() {
        writers.close();
    }

    /** The pod of the leader runs on, so Kubernetes keeps the volume for as long as it does. */
    @Test
    void claimsDeletedWithAndWithoutTheirPods() {
        String leader = cluster.status().leader();
        deleteClaimOf(leader);
        isReplaced(leader);
        cluster.awaitEvents("LeaderMoved");

        before = Identity.of(cluster);
        String another = cluster.status().leader();
        deleteClaimOf(another);
        KUBE.resource(cluster.pod(another)).delete();
        isReplaced(another);
        keptEverything();
    }

    @Test
    void volumeEmptied() {
        String leader = cluster.status().leader();
        Disk.lose(cluster, List.of(leader));
        isReplaced(leader);
        keptEverything();
    }

    @Test
    void databaseAndLogCorrupt() {
        Disk disk = Disk.of(cluster, cluster.claimOf("heal-1"));
        HostProcess first = HostProcess.of(cluster.pod("heal-1"));
        first.freeze();
        disk.spoilDatabase();
        first.kill();
        isReplaced("heal-1");

        before = Identity.of(cluster);
        Disk another = Disk.of(cluster, cluster.claimOf("heal-2"));
        HostProcess second = HostProcess.of(cluster.pod("heal-2"));
        second.freeze();
        another.spoilLog();
        second.kill();
        isReplaced("heal-2");
        keptEverything();
    }

    /** Nobody may be replaced: the one that is left cannot say alone who is a member. What to go on from, a person says. */
    @Test
    void twoOfThreeDisksLostAtOnce() {
        List<String> lost = List.of("heal-0", "heal-2");
        Disk.lose(cluster, lost);

        Awaitility.await()
                .atMost(SECONDS)
                .untilAsserted(() -> assertThat(cluster.is("Available"))
                        .as(cluster.conditions())
                        .isFalse());
        eventually()
                .untilAsserted(() -> assertThat(cluster.condition("Degraded").getReason())
                        .as(cluster.conditions())
                        .isEqualTo("MajorityLost"));
        forAWhile().untilAsserted(() -> {
            assertThat(cluster.is("Available")).as(cluster.conditions()).isFalse();
            assertThat(cluster.condition("Degraded").getMessage())
                    .as("what is wrong, and what it waits for")
                    .contains("heal-0", "heal-2", "quorum", "recover=" + cluster.claimOf("heal-1"));
            assertThat(cluster.status().members())
                    .filteredOn(member -> lost.contains(member.name()))
                    .hasSize(2)
                    .noneMatch(MemberStatus::healthy);
            assertThat(cluster.status().readyReplicas()).isLessThanOrEqualTo(1);
            assertThat(Identity.of(cluster)).isEqualTo(before);
            assertThat(cluster.eventReasons()).doesNotContain("MemberReplaced");
        });
    }

    /** For three times as long as a member may be away with its node. */
    @Test
    void frozenForHalfAMinute() {
        String leader = cluster.status().leader();
        HostProcess process = HostProcess.of(cluster.pod(leader));
        process.freeze();
        eventually()
                .untilAsserted(() -> assertThat(cluster.condition("Degraded").getMessage())
                        .as(cluster.conditions())
                        .contains(leader));
        // From when the others have another leader; on a busy machine that takes them a while.
        eventually().during(Duration.ofSeconds(30)).until(() -> cluster.is("Available"));
        assertThat(Identity.of(cluster)).isEqualTo(before);
        process.thaw();

        cluster.awaitSize(3);
        assertThat(Identity.of(cluster)).isEqualTo(before);
        assertThat(cluster.eventReasons()).doesNotContain("MemberReplaced");
        keptEverything();
    }

    private void deleteClaimOf(String peer) {
        KUBE.persistentVolumeClaims()
                .inNamespace(namespace.name())
                .withName(cluster.claimOf(peer))
                .delete();
    }

    /** Another member on another volume, in the same place; all others are who they were. */
    private void isReplaced(String peer) {
        String old = before.memberIds().get(peer);
        eventually()
                .untilAsserted(() -> assertThat(cluster.memberIds().get(peer))
                        .as(cluster.conditions())
                        .isNotNull()
                        .isNotEqualTo(old));
        cluster.awaitSize(3);
        Stream.of("heal-0", "heal-1", "heal-2")
                .filter(name -> !name.equals(peer))
                .forEach(name -> assertThat(cluster.memberIds())
                        .containsEntry(name, before.memberIds().get(name)));
        assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
        eventually()
                .untilAsserted(() -> assertThat(cluster.events())
                        .anyMatch(event -> event.getReason().equals("MemberReplaced")
                                && event.getMessage().contains("Replacing " + peer)));
    }

    private void keptEverything() {
        writers.awaitMore(20);
        writers.stop();
        writers.assertNothingLost();
    }
}
