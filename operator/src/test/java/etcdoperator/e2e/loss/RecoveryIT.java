package etcdoperator.e2e.loss;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRecovery;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Most disks are lost for good: the cluster comes back from what is left, by itself or as a person chooses, or waits. */
@Execution(ExecutionMode.CONCURRENT)
class RecoveryIT {
    private static final EtcdClusterSpec AUTOMATIC = TestCluster.members(3).withRecovery(TestRecovery.AUTOMATIC);
    private static final Pattern COMMAND =
            Pattern.compile("kubectl annotate \\S+ --namespace (\\S+) etcd (\\S+) (\\S+)");

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    /** The leader is left, which has whatever was acknowledged. */
    @Test
    void twoOfThreeDisksAreLostUnderWriters() {
        TestCluster cluster = namespace.cluster("two", AUTOMATIC).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        TestRecovery recovery = new TestRecovery(cluster);
        String left = cluster.claimOf("two-1");
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(100);
            cluster.lead("two-1");
            Disk.loseWithClaims(cluster, List.of("two-0", "two-2"));
            assertThat(recovery.awaitLoss()).contains("two-0", "two-2", "claim", left);

            EtcdRestoreStatus done = recovery.awaitCompleted();
            cluster.awaitSize(3);
            writers.awaitMore(50);
            writers.stop();
            writers.assertAllIsKept();
            isAnotherCluster(cluster, before);
            assertThat(done.sourceClaim()).isEqualTo(left);
            assertThat(done.setAsideClaims()).containsExactly(left);
            isToldOf(cluster, "claim " + left, done);
            assertThat(claimNames()).contains(left);
        }
    }

    /** The claims are there, and so are their volumes; but nobody is on them any more. */
    @Test
    void twoOfThreeVolumesAreEmptied() {
        TestCluster cluster = namespace.cluster("empty", AUTOMATIC).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        List<String> claims = claimNames();
        cluster.lead("empty-2");
        long held = put(cluster, "empty-2", "kept", "on the last disk");
        Disk.lose(cluster, List.of("empty-0", "empty-1"));

        EtcdRestoreStatus done = new TestRecovery(cluster).awaitCompleted();
        cluster.awaitSize(3);
        isAnotherCluster(cluster, before);
        assertThat(value(cluster, "kept")).isEqualTo("on the last disk");
        assertThat(done.revision()).isGreaterThanOrEqualTo(held);
        assertThat(done.setAsideClaims()).containsExactlyInAnyOrderElementsOf(claims);
        assertThat(claimNames()).containsAll(claims);
    }

    @Test
    void allDisksAreLostAndThereIsABackup() {
        Bucket bucket = Bucket.open(namespace);
        TestCluster cluster = namespace.cluster("all", AUTOMATIC).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        put(cluster, "all-0", "kept", "before the backup");
        long revision = TestBackup.create(namespace, "night", "{cluster: all}", bucket.block("night.db"))
                .awaitCompleted()
                .revision();
        put(cluster, "all-0", "later", "after the backup");
        Disk.loseWithClaims(cluster, cluster.peerNames());

        TestRecovery recovery = new TestRecovery(cluster);
        assertThat(recovery.awaitLoss()).contains("lost for good", "EtcdBackup night");
        EtcdRestoreStatus done = recovery.awaitCompleted();
        cluster.awaitSize(3);
        isAnotherCluster(cluster, before);
        assertThat(value(cluster, "kept")).isEqualTo("before the backup");
        assertThat(value(cluster, "later")).isEmpty();
        assertThat(done.revision()).isEqualTo(revision);
        isToldOf(cluster, "EtcdBackup night", done);
    }

    @Test
    void allDisksAreLostAndThereIsNone() {
        TestCluster cluster = namespace.cluster("none", AUTOMATIC).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        Disk.loseWithClaims(cluster, cluster.peerNames());

        TestRecovery recovery = new TestRecovery(cluster);
        eventually()
                .untilAsserted(() -> assertThat(recovery.awaitQuestion())
                        .contains("none-0", "none-1", "none-2")
                        .contains("No disk is left", "there is no completed backup", "nothing to recover from"));
        // Longer than the grace period.
        eventually().during(Duration.ofSeconds(15)).untilAsserted(() -> {
            assertThat(cluster.is("Available")).isFalse();
            assertThat(cluster.is("QuorumLost")).as(cluster.conditions()).isTrue();
            assertThat(recovery.restores()).isEmpty();
            assertThat(backups()).isEmpty();
            assertThat(claimNames()).isEmpty();
            assertThat(cluster.status().clusterId()).isEqualTo(before.clusterId());
        });
        assertThat(cluster.condition("QuorumLost").getReason()).isEqualTo("MajorityLost");
        cluster.awaitEvents("QuorumLost", "MajorityLost");
    }

    @Test
    void aPersonChooses() {
        TestCluster cluster =
                namespace.cluster("manual", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        cluster.lead("manual-0");
        String left = cluster.claimOf("manual-0");
        put(cluster, "manual-0", "kept", "on the last disk");
        Disk.loseWithClaims(cluster, List.of("manual-1", "manual-2"));

        TestRecovery recovery = new TestRecovery(cluster);
        eventually()
                .untilAsserted(() -> assertThat(recovery.awaitQuestion())
                        .contains("manual-1", "manual-2", "claim " + left, "up to revision", "Manual"));
        assertThat(cluster.condition("Progressing").getReason()).isEqualTo("MajorityLost");
        nothingHappens(recovery, before);

        recovery.choose("nonsense");
        eventually()
                .untilAsserted(() -> assertThat(recovery.awaitQuestion())
                        .contains("recover=nonsense", "neither a claim that is left nor a completed EtcdBackup"));
        nothingHappens(recovery, before);

        Matcher command = COMMAND.matcher(recovery.awaitQuestion());
        assertThat(command.find()).isTrue();
        assertThat(command.group(3)).isEqualTo("etcd.improbable.io/recover=" + left);
        Testbed.kubectl(
                "annotate", "--overwrite", "--namespace", command.group(1), "etcd", command.group(2), command.group(3));
        EtcdRestoreStatus done = recovery.awaitCompleted();
        cluster.awaitSize(3);
        isAnotherCluster(cluster, before);
        assertThat(done.sourceClaim()).isEqualTo(left);
        assertThat(value(cluster, "kept")).isEqualTo("on the last disk");
        isToldOf(cluster, "claim " + left, done);
    }

    @Test
    void whatIsLeftIsBackedUpBeforeItIsTouched() {
        namespace.apply(SAVING);
        TestCluster cluster = namespace.cluster("saved", AUTOMATIC).awaitHealthy();
        cluster.lead("saved-1");
        long held = put(cluster, "saved-1", "kept", "on the last disk");
        Disk.loseWithClaims(cluster, List.of("saved-0", "saved-2"));

        TestRecovery recovery = new TestRecovery(cluster);
        recovery.awaitCompleted();
        cluster.awaitSize(3);
        EtcdRestore restore = recovery.restores().getFirst();
        assertThat(backups()).singleElement().satisfies(backup -> {
            assertThat(backup.getMetadata().getName()).startsWith("saved-remains-");
            assertThat(backup.getStatus().phase()).isEqualTo(BackupPhase.COMPLETED);
            assertThat(backup.getStatus().revision()).isGreaterThanOrEqualTo(held);
            // Kubernetes keeps no more than whole seconds of when an object was made.
            assertThat(Instant.parse(restore.getMetadata().getCreationTimestamp())
                            .plusSeconds(1))
                    .isAfterOrEqualTo(backup.getStatus().completionTime());
        });
        assertThat(value(cluster, "kept")).isEqualTo("on the last disk");
    }

    private static void nothingHappens(TestRecovery recovery, Identity before) {
        forAWhile().untilAsserted(() -> {
            assertThat(recovery.restores()).isEmpty();
            assertThat(recovery.cluster().is("Available")).isFalse();
            assertThat(recovery.cluster().status().clusterId()).isEqualTo(before.clusterId());
        });
    }

    /** None of the old members can be taken for one of it. */
    private static void isAnotherCluster(TestCluster cluster, Identity before) {
        assertThat(cluster.status().clusterId()).isNotEqualTo(before.clusterId());
        assertThat(cluster.memberIds().values())
                .hasSize(3)
                .doesNotContainAnyElementsOf(before.memberIds().values());
        assertThat(cluster.is("QuorumLost")).as(cluster.conditions()).isFalse();
    }

    private static void isToldOf(TestCluster cluster, String source, EtcdRestoreStatus done) {
        eventually().untilAsserted(() -> {
            assertThat(cluster.is("RecoveredFromLoss")).as(cluster.conditions()).isTrue();
            assertThat(cluster.condition("RecoveredFromLoss").getMessage())
                    .contains(source, "up to revision " + done.revision());
            assertThat(cluster.events())
                    .anyMatch(event -> event.getReason().equals("RecoveredFromLoss")
                            && event.getMessage().contains(source));
        });
        cluster.awaitEvents("QuorumLost", "RecoveryBegun");
    }

    private static long put(TestCluster cluster, String peer, String key, String value) {
        try (Etcd etcd = Etcd.of(cluster.pod(peer))) {
            return etcd.put(key, value, Duration.ofSeconds(20));
        }
    }

    /** Empty where there is none. */
    private static String value(TestCluster cluster, String key) {
        try (Etcd etcd = Etcd.of(cluster.pods().getFirst())) {
            return etcd.read(key).values().stream()
                    .map(entry -> entry.getValue().toStringUtf8())
                    .findFirst()
                    .orElse("");
        }
    }

    private List<String> claimNames() {
        return KUBE.persistentVolumeClaims().inNamespace(namespace.name()).list().getItems().stream()
                .map((PersistentVolumeClaim claim) -> claim.getMetadata().getName())
                .toList();
    }

    private List<EtcdBackup> backups() {
        return KUBE.resources(EtcdBackup.class)
                .inNamespace(namespace.name())
                .list()
                .getItems();
    }

    private static final String SAVING = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: backups}
            spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 50Mi}}}
            ---
            apiVersion: etcd.improbable.io/v1alpha1
            kind: EtcdCluster
            metadata: {name: saved}
            spec:
              replicas: 3
              version: %s
              storage: {volumeClaimTemplate: {storageClassName: standard, resources: {requests: {storage: 50Mi}}}}
              recovery: {quorumLoss: Automatic, quorumLossGrace: 10s}
              backup:
                destination:
                  volume: {claimName: backups, path: "{cluster}/{uid}.db"}
            """.formatted(TestCluster.VERSION);
}
