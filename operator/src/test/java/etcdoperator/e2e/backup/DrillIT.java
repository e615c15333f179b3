package etcdoperator.e2e.backup;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.kubectl;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A backup that was tried is more than a hope: what is restored from it is held against what it was taken with. */
@Execution(ExecutionMode.CONCURRENT)
class DrillIT {
    private static final int KEYS = 30;

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private Bucket bucket;
    private EtcdBackup backup;

    @BeforeEach
    void aBackupOfASchedule() {
        bucket = Bucket.open(namespace);
        TestCluster origin =
                namespace.cluster("origin", TestCluster.members(1)).create().awaitHealthy();
        try (Etcd etcd = Etcd.of(origin.pod("origin-0"))) {
            for (int i = 0; i < KEYS; i++) {
                etcd.put("key/" + i, "value " + i, Duration.ofSeconds(20));
            }
        }
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: proven}
                spec:
                  schedule: "@yearly"
                  drill: {schedule: "@yearly", activeDeadline: 10m, storage: 1Gi}
                  backupTemplate:
                    source: {cluster: origin}
                    destination:
                %s
                """.formatted(bucket.block("origin/{uid}.db").indent(6)));
        annotate("backup-now", "please");
        eventually().untilAsserted(() -> assertThat(completed()).isPresent());
        backup = completed().orElseThrow();
    }

    @Test
    void whatHoldsWhatItWasTakenWithPasses() {
        EtcdBackupStatus taken = backup.getStatus();
        assertThat(taken.keys()).isGreaterThanOrEqualTo(KEYS);
        assertThat(taken.hashKV()).isNotNull();
        annotate("drill-now", "please");
        DrillStatus drill = awaitEnd(DrillResult.PASSED);
        assertThat(drill.backup()).isEqualTo(backup.getMetadata().getName());
        assertThat(drill.keys()).isEqualTo(taken.keys());
        assertThat(drill.revision()).isEqualTo(taken.revision());
        assertThat(drill.message()).contains("keys and their hash");
        assertThat(drill.lastTime()).isNotNull();
        assertThat(drill.nextTime()).isNotNull();
        assertThat(drilled().getStatus()).isEqualTo("True");
        assertTold("DrillPassed", drill.message());
        eventually().untilAsserted(() -> assertThat(jobs()).isEmpty());
    }

    @Test
    void whatIsNotWhatItWasFails() {
        long recorded = backup.getStatus().keys();
        kubectl(
                "patch",
                "-n",
                namespace.name(),
                "etcdbackup/" + backup.getMetadata().getName(),
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\": {\"keys\": %d}}".formatted(recorded + 1));
        annotate("drill-now", "first");
        DrillStatus miscounted = awaitEnd(DrillResult.FAILED);
        assertThat(miscounted.message()).contains(recorded + " keys", (recorded + 1) + " were counted");
        assertThat(drilled().getStatus()).isEqualTo("False");
        assertThat(drilled().getMessage()).isEqualTo(miscounted.message());
        assertTold("DrillFailed", miscounted.message());
        assertThat(jobs()).as("the Job stays to be read").containsExactly(miscounted.job());

        String path = backup.getStatus().path();
        byte[] object = bucket.read(path);
        object[object.length / 2] ^= 1;
        bucket.write(path, object);
        annotate("drill-now", "second");
        eventually().untilAsserted(() -> {
            DrillStatus damaged = schedule().getStatus().drill();
            assertThat(damaged.result()).isEqualTo(DrillResult.FAILED);
            assertThat(damaged.job()).isNotEqualTo(miscounted.job());
            assertThat(damaged.message()).contains(path);
        });
        assertThat(jobs()).doesNotContain(miscounted.job());
    }

    private DrillStatus awaitEnd(DrillResult result) {
        eventually().untilAsserted(() -> {
            DrillStatus drill = schedule().getStatus().drill();
            assertThat(drill).isNotNull();
            assertThat(drill.result()).as(drill.message()).isEqualTo(result);
        });
        return schedule().getStatus().drill();
    }

    private void annotate(String annotation, String value) {
        kubectl(
                "annotate",
                "--overwrite",
                "-n",
                namespace.name(),
                "etcdbackupschedule/proven",
                "etcd.improbable.io/%s=%s".formatted(annotation, value));
    }

    private void assertTold(String reason, String message) {
        eventually()
                .untilAsserted(() -> assertThat(KUBE.v1()
                                .events()
                                .inNamespace(namespace.name())
                                .withField("involvedObject.name", "proven")
                                .list()
                                .getItems())
                        .filteredOn((Event event) -> event.getReason().equals(reason))
                        .extracting(Event::getMessage)
                        .contains(message));
    }

    private Condition drilled() {
        return schedule().getStatus().conditions().stream()
                .filter(condition -> condition.getType().equals("Drilled"))
                .findFirst()
                .orElseThrow();
    }

    private EtcdBackupSchedule schedule() {
        return KUBE.resources(EtcdBackupSchedule.class)
                .inNamespace(namespace.name())
                .withName("proven")
                .get();
    }

    private Optional<EtcdBackup> completed() {
        return KUBE.resources(EtcdBackup.class).inNamespace(namespace.name()).list().getItems().stream()
                .filter(one -> one.getStatus() != null && one.getStatus().phase() == BackupPhase.COMPLETED)
                .findFirst();
    }

    private List<String> jobs() {
        return KUBE
                .batch()
                .v1()
                .jobs()
                .inNamespace(namespace.name())
                .withLabel("etcd.improbable.io/drill", "proven")
                .list()
                .getItems()
                .stream()
                .map(job -> job.getMetadata().getName())
                .toList();
    }
}
