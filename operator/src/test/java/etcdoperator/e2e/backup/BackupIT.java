package etcdoperator.e2e.backup;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRestore;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Backups to a real S3 server and to a volume, taken by real agents of real clusters. */
@Execution(ExecutionMode.CONCURRENT)
class BackupIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void ofAClusterUnderWritesAndNobodyNotices() throws Exception {
        Bucket bucket = Bucket.open(namespace);
        TestCluster cluster =
                namespace.cluster("busy", TestCluster.members(3)).create().awaitHealthy();
        Map<String, Integer> before = restarts(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(50);
            long atLeast = revision(cluster);
            EtcdBackupStatus done = TestBackup.create(
                            namespace, "first", "{cluster: busy}", bucket.block("{cluster}/{uid}.db"))
                    .awaitCompleted();
            writers.awaitMore(20);
            long atMost = revision(cluster);

            assertThat(done.revision()).isBetween(atLeast, atMost);
            assertThat(done.etcdVersion()).isEqualTo(TestCluster.VERSION);
            assertThat(done.objectURL()).startsWith("s3://backups/busy/").endsWith(".db");
            String path = done.objectURL().substring("s3://backups/".length());
            byte[] object = bucket.read(path);
            assertThat(done.sizeBytes()).isEqualTo(object.length);
            assertThat(done.transferredBytes()).isEqualTo(object.length);
            assertThat(done.sha256()).isEqualTo(sha256(object));
            assertThat(new String(bucket.read(path + ".json"), UTF_8)).contains(done.sha256(), TestCluster.VERSION);
            assertThat(done.startTime()).isNotNull();
            assertThat(done.completionTime()).isAfterOrEqualTo(done.startTime());
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(restarts(cluster)).isEqualTo(before);
    }

    @Test
    void compressedAndEncryptedToAVolumeAndByEndpoints() {
        TestCluster cluster =
                namespace.cluster("small", TestCluster.members(1)).create().awaitHealthy();
        namespace.apply("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: backups}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 50Mi}}}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: key}
                stringData: {key: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
                """);
        EtcdBackupStatus done = TestBackup.create(
                        namespace,
                        "sealed",
                        "{endpoints: [\"%s\"]}"
                                .formatted(cluster.status().endpoints().getFirst()),
                        "volume: {claimName: backups, path: \"{time}.db\"}",
                        "compression: Gzip",
                        "encryption: {keySecretRef: {name: key, key: key}}")
                .awaitCompleted();
        assertThat(done.objectURL()).contains("backups").endsWith(".db");
        assertThat(done.sha256()).isNotNull();
    }

    @Test
    void anAgentThatDiesLeavesNothingAndTheNextOneStartsOver() {
        Bucket bucket = Bucket.open(namespace, "20m");
        TestCluster cluster =
                namespace.cluster("large", TestCluster.members(1)).create().awaitHealthy();
        Etcd.fill(cluster, 80);
        TestBackup backup = TestBackup.create(namespace, "interrupted", "{cluster: large}", bucket.block("large.db"));
        backup.awaitMiddle();
        Pod first = backup.pods().getFirst();
        KUBE.resource(first).withGracePeriod(0).delete();
        assertThat(bucket.objects()).isEmpty();

        EtcdBackupStatus done = backup.awaitCompleted();
        assertThat(bucket.objects()).containsExactly("large.db", "large.db.json");
        assertThat(done.sha256()).isEqualTo(sha256(bucket.read("large.db")));
    }

    @Test
    void whatCannotWorkIsSaidInClearWords() {
        Bucket bucket = Bucket.open(namespace);
        namespace.cluster("one", TestCluster.members(1)).create().awaitHealthy();
        var denied =
                TestBackup.create(namespace, "denied", "{cluster: one}", bucket.block("a.db", "wrong-credentials"));
        assertThat(denied.awaitFailed()).contains("s3://backups");
        var waiting = TestBackup.create(namespace, "waiting", "{cluster: nobody}", bucket.block("b.db"));
        eventually().untilAsserted(() -> assertThat(waiting.sentence()).contains("nobody"));
        assertThat(bucket.objects()).isEmpty();

        bucket.vanish();
        var homeless = TestBackup.create(namespace, "homeless", "{cluster: one}", bucket.block("c.db"));
        assertThat(homeless.awaitFailed()).contains("s3://backups");
        eventually()
                .untilAsserted(() -> assertThat(homeless.events())
                        .anySatisfy(event -> assertThat(homeless.sentence()).contains(event.getMessage())));
    }

    @Test
    void withOneMemberOfThreeAndNoQuorum() {
        Bucket bucket = Bucket.open(namespace);
        TestCluster cluster =
                namespace.cluster("last", TestCluster.members(3)).create().awaitHealthy();
        Etcd.fill(cluster, 1);
        long held = revision(cluster);
        Disk.lose(cluster, List.of("last-1", "last-2"));

        EtcdBackupStatus done = TestBackup.create(namespace, "saved", "{cluster: last}", bucket.block("last.db"))
                .awaitCompleted();
        assertThat(done.revision()).isGreaterThanOrEqualTo(held);
        assertThat(bucket.objects()).contains("last.db");
    }

    /** Started anew without a quorum, etcd says nothing to anybody; but what it has is on its disk. */
    @Test
    void withNobodyAnsweringItsVolumeIsRead() {
        Bucket bucket = Bucket.open(namespace);
        TestCluster cluster =
                namespace.cluster("mute", TestCluster.members(3)).create().awaitHealthy();
        long held = put(cluster.pod("mute-0"), "kept", "on the last disk");
        Disk.lose(cluster, List.of("mute-1", "mute-2"));
        Pod before = cluster.pod("mute-0");
        KUBE.resource(before).delete();

        var backup = TestBackup.create(namespace, "rescued", "{cluster: mute}", bucket.block("mute.db"));
        EtcdBackupStatus done = backup.awaitCompleted();
        assertThat(done.revision()).isGreaterThanOrEqualTo(held);
        assertThat(done.etcdVersion()).isEqualTo(TestCluster.VERSION);
        assertThat(backup.sentence()).contains("from the volume of claim " + cluster.claimOf("mute-0"));
        eventually().untilAsserted(() -> {
            Pod again = cluster.pod("mute-0");
            assertThat(again.getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(again.getStatus().getPhase()).isEqualTo("Running");
            assertThat(cluster.peers())
                    .noneMatch(peer -> peer.getMetadata().getAnnotations().containsKey("etcd.improbable.io/read-by"));
        });

        TestRestore.create(namespace, "again", "backup: rescued", "copy", 1).awaitCompleted();
        TestCluster copy = namespace.cluster("copy", TestCluster.members(1)).awaitHealthy();
        try (Etcd etcd = Etcd.of(copy.pod("copy-0"))) {
            assertThat(etcd.read("kept").get("kept").getValue().toStringUtf8()).isEqualTo("on the last disk");
        }
    }

    /** Nobody has to be stopped for it. */
    @Test
    void ofAClusterThatSleeps() {
        Bucket bucket = Bucket.open(namespace);
        TestCluster cluster =
                namespace.cluster("dozy", TestCluster.members(1)).create().awaitHealthy();
        long held = put(cluster.pod("dozy-0"), "kept", "");
        cluster.scale(0);
        cluster.awaitAsleep(1);
        EtcdBackupStatus done = TestBackup.create(namespace, "night", "{cluster: dozy}", bucket.block("dozy.db"))
                .awaitCompleted();
        assertThat(done.revision()).isGreaterThanOrEqualTo(held);
        assertThat(cluster.pods()).isEmpty();
    }

    @Test
    void theObjectGoesWithTheBackupOnlyIfAskedTo() {
        Bucket bucket = Bucket.open(namespace);
        namespace.cluster("kept", TestCluster.members(1)).create().awaitHealthy();
        var kept = TestBackup.create(namespace, "kept", "{cluster: kept}", bucket.block("kept.db"));
        var gone = TestBackup.create(namespace, "gone", "{cluster: kept}", bucket.block("gone.db"), "onDelete: Delete");
        kept.awaitCompleted();
        gone.awaitCompleted();
        kept.delete();
        gone.delete();
        kept.awaitGone();
        gone.awaitGone();
        assertThat(bucket.objects()).containsExactly("kept.db", "kept.db.json");
    }

    private static long revision(TestCluster cluster) {
        return put(cluster.pods().getFirst(), "asked", "");
    }

    /** Answered once this member has it. */
    private static long put(Pod pod, String key, String value) {
        try (Etcd etcd = Etcd.of(pod)) {
            return etcd.put(key, value, Duration.ofSeconds(20));
        }
    }

    private static Map<String, Integer> restarts(TestCluster cluster) {
        return cluster.pods().stream()
                .collect(Collectors.toMap(
                        pod -> pod.getMetadata().getUid(),
                        pod -> pod.getStatus().getContainerStatuses().getFirst().getRestartCount()));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
