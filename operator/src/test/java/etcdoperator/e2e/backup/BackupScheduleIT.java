package etcdoperator.e2e.backup;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.kubectl;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Backups by the clock: taken, thinned out, held and asked for. */
class BackupScheduleIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void everyMinuteAndNowAndOnlyTheLastOneIsKept() {
        Bucket bucket = Bucket.open(namespace);
        namespace.cluster("tidy", TestCluster.members(1)).create().awaitHealthy();
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: often}
                spec:
                  schedule: "* * * * *"
                  retention: {keepLast: 1}
                  backupTemplate:
                    source: {cluster: tidy}
                    destination:
                %s
                """.formatted(bucket.block("tidy/{uid}.db").indent(6)));
        eventually().untilAsserted(() -> assertThat(completed()).isNotEmpty());
        String first = completed().getFirst();
        eventually().untilAsserted(() -> {
            assertThat(schedule().getStatus().nextScheduleTime()).isNotNull();
            assertThat(schedule().getStatus().lastSuccessTime()).isNotNull();
        });

        kubectl(
                "patch",
                "-n",
                namespace.name(),
                "etcdbackupschedule/often",
                "--type=merge",
                "-p",
                "{\"spec\": {\"suspend\": true}}");
        kubectl("annotate", "-n", namespace.name(), "etcdbackupschedule/often", "etcd.improbable.io/backup-now=please");
        eventually().untilAsserted(() -> assertThat(completed()).hasSize(1).doesNotContain(first));
        eventually().untilAsserted(() -> assertThat(bucket.objects()).hasSize(2));
    }

    private EtcdBackupSchedule schedule() {
        return KUBE.resources(EtcdBackupSchedule.class)
                .inNamespace(namespace.name())
                .withName("often")
                .get();
    }

    private List<String> completed() {
        return KUBE.resources(EtcdBackup.class).inNamespace(namespace.name()).list().getItems().stream()
                .filter(backup ->
                        backup.getStatus() != null && backup.getStatus().phase() == BackupPhase.COMPLETED)
                .map(EtcdBackup::getMetadata)
                .map(metadata -> metadata.getName())
                .toList();
    }
}
