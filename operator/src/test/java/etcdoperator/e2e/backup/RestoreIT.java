package etcdoperator.e2e.backup;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.TestRestore;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Backups are worth what can be restored from them: into new clusters, in place, and never over anything. */
@Execution(ExecutionMode.CONCURRENT)
class RestoreIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private Bucket bucket;
    private TestCluster origin;
    private Map<String, String> held;
    private long revision;

    @BeforeEach
    void aBackupOfAClusterThatGoesOnAfterwards() {
        bucket = Bucket.open(namespace);
        origin = namespace.cluster("origin", TestCluster.members(1)).create().awaitHealthy();
        for (int i = 0; i < 50; i++) {
            put(origin, "before/" + i, "value " + i);
        }
        held = contents(origin);
        revision = TestBackup.create(namespace, "night", "{cluster: origin}", bucket.block("night.db"))
                .awaitCompleted()
                .revision();
        put(origin, "after", "the backup");
    }

    @Test
    void intoANewClusterOfAnotherSize() {
        TestRestore restore = TestRestore.create(namespace, "again", "backup: night", "copy", 3);
        EtcdRestoreStatus done = restore.awaitCompleted();
        TestCluster copy =
                namespace.cluster("copy", TestCluster.members(3)).awaitHealthy().awaitSize(3);
        assertThat(contents(copy)).isEqualTo(held);
        assertThat(done.clusterName()).isEqualTo("copy");
        assertThat(done.revision()).isEqualTo(revision);
        assertThat(copy.object().getSpec().version()).isEqualTo(TestCluster.VERSION);
        assertThat(copy.status().clusterId()).isNotEqualTo(origin.status().clusterId());
        assertThat(put(copy, "anew", "")).as("revisions are bumped").isGreaterThan(revision + 900_000_000);
        assertThat(contents(origin)).containsEntry("after", "the backup");
    }

    @Test
    void withTlsFromAnObjectThatIsEncrypted() {
        namespace.apply("""
                apiVersion: v1
                kind: Secret
                metadata: {name: key}
                stringData: {key: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}
                """);
        TestBackup.create(
                        namespace,
                        "sealed",
                        "{cluster: origin}",
                        bucket.block("sealed.db"),
                        "compression: Gzip",
                        "encryption: {keySecretRef: {name: key, key: key}}")
                .awaitCompleted();
        TestRestore.create(
                        namespace,
                        "locked",
                        bucket.block("sealed.db") + "encryption: {keySecretRef: {name: key, key: key}}\n",
                        "locked",
                        1,
                        ", tls: {client: {managed: {}}, peer: {managed: {}}}")
                .awaitCompleted();
        TestCluster locked = namespace.cluster("locked", TestCluster.members(1)).awaitHealthy();
        assertThat(contents(locked)).containsAllEntriesOf(held).containsEntry("after", "the backup");
    }

    @Test
    void inPlaceAndTheOldClaimsAreKept() {
        List<String> before = origin.claims().stream()
                .map(claim -> claim.getMetadata().getName())
                .toList();
        String oldId = origin.status().clusterId();
        EtcdRestoreStatus done = TestRestore.inPlace(namespace, "back", "backup: night", "origin")
                .awaitCompleted();
        origin.awaitHealthy();
        assertThat(contents(origin)).isEqualTo(held);
        assertThat(origin.status().clusterId()).isNotEqualTo(oldId);
        assertThat(done.setAsideClaims()).isEqualTo(before);
        assertThat(KUBE.persistentVolumeClaims()
                        .inNamespace(namespace.name())
                        .list()
                        .getItems())
                .extracting((PersistentVolumeClaim claim) -> claim.getMetadata().getName())
                .containsAll(before);
    }

    @Test
    void whatCannotWorkIsRefusedInClearWords() {
        assertThat(TestRestore.create(namespace, "over", "backup: night", "origin", 1)
                        .awaitFailed())
                .contains("origin");
        assertThat(TestRestore.create(namespace, "missing", bucket.block("nothing.db"), "a", 1)
                        .awaitFailed())
                .contains("nothing.db");
        assertThat(TestRestore.create(namespace, "denied", bucket.block("night.db", "wrong-credentials"), "b", 1)
                        .awaitFailed())
                .contains("s3://backups");
        byte[] bytes = bucket.read("night.db");
        bytes[bytes.length / 2] ^= 1;
        bucket.write("flipped.db", bytes);
        assertThat(TestRestore.create(namespace, "flipped", bucket.block("flipped.db"), "c", 1, ", version: 3.6.16")
                        .awaitFailed())
                .contains("flipped.db");
        assertThat(TestRestore.create(namespace, "older", "backup: night", "d", 1, ", version: 3.5.32")
                        .awaitFailed())
                .contains("3.6");
        assertThat(KUBE.resources(etcdoperator.api.EtcdCluster.class)
                        .inNamespace(namespace.name())
                        .list()
                        .getItems())
                .extracting(cluster -> cluster.getMetadata().getName())
                .containsExactly("origin");
        eventually()
                .untilAsserted(() -> assertThat(KUBE.persistentVolumeClaims()
                                .inNamespace(namespace.name())
                                .list()
                                .getItems())
                        .hasSize(1));
    }

    @Test
    void anAgentThatDiesStartsOver() {
        Etcd.fill(origin, 20);
        TestBackup.create(namespace, "large", "{cluster: origin}", bucket.block("large.db"))
                .awaitCompleted();
        TestRestore restore = TestRestore.create(namespace, "interrupted", "backup: large", "copy", 1);
        eventually()
                .pollInterval(Duration.ofMillis(20))
                .until(() -> restore.pods().stream()
                        .filter(pod -> !pod.getSpec().getInitContainers().isEmpty())
                        .anyMatch(pod -> pod.getStatus().getInitContainerStatuses().stream()
                                .anyMatch(container -> container.getState().getRunning() != null)));
        restore.pods().stream()
                .filter(pod -> !pod.getSpec().getInitContainers().isEmpty())
                .forEach(pod -> KUBE.resource(pod).withGracePeriod(0).delete());
        restore.awaitCompleted();
        TestCluster copy = namespace.cluster("copy", TestCluster.members(1)).awaitHealthy();
        assertThat(contents(copy)).containsAllEntriesOf(held);
        try (Etcd etcd = Etcd.of(copy.pods().getFirst())) {
            assertThat(etcd.read("filler/19")).hasSize(1);
        }
    }

    private static long put(TestCluster cluster, String key, String value) {
        try (Etcd etcd = Etcd.of(cluster.pods().getFirst())) {
            return etcd.put(key, value, Duration.ofSeconds(20));
        }
    }

    private static Map<String, String> contents(TestCluster cluster) {
        try (Etcd etcd = Etcd.of(cluster.pods().getFirst())) {
            return Stream.of("before/", "after")
                    .flatMap(prefix -> etcd.read(prefix).entrySet().stream())
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            entry -> entry.getValue().getValue().toStringUtf8()));
        }
    }
}
