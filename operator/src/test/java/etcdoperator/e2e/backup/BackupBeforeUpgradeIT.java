package etcdoperator.e2e.backup;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.MemberStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.e2e.fixture.Bucket;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What {@code spec.backup} of a cluster brings about. */
class BackupBeforeUpgradeIT {
    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void nobodyRunsAnotherMinorBeforeThereIsABackupAndAllGoWithTheCluster() {
        Bucket bucket = Bucket.open(namespace);
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: careful}
                spec:
                  replicas: 1
                  version: 3.5.35
                  storage: {volumeClaimTemplate: {storageClassName: standard, resources: {requests: {storage: 50Mi}}}}
                  backup:
                    onDelete: Delete
                    destination:
                %s
                """.formatted(
                        bucket.block("careful/{uid}.db", "wrong-credentials").indent(6)));
        TestCluster cluster =
                namespace.cluster("careful", TestCluster.members(1)).awaitHealthy();
        cluster.change(Map.of("version", "3.6.16"));

        eventually()
                .untilAsserted(() -> assertThat(cluster.condition("Degraded").getReason())
                        .as(cluster.conditions())
                        .isEqualTo("BackupFailed"));
        assertThat(cluster.status().members()).extracting(MemberStatus::version).containsOnly("3.5.35");

        correctTheSecret();
        backups().forEach(failed -> KUBE.resource(failed).delete());
        eventually()
                .untilAsserted(() -> assertThat(cluster.status().clusterVersion())
                        .as(cluster.conditions())
                        .startsWith("3.6"));
        cluster.awaitHealthy();
        assertThat(backups()).hasSize(1).allSatisfy(backup -> {
            assertThat(backup.getMetadata().getName()).startsWith("careful-pre-");
            assertThat(backup.getStatus().etcdVersion()).isEqualTo("3.5.35");
        });
        assertThat(cluster.is("BackedUp")).as(cluster.conditions()).isTrue();
        assertThat(bucket.objects()).hasSize(2).allMatch(path -> path.startsWith("careful/"));

        cluster.delete();
        cluster.awaitGone();
        eventually().until(() -> backups().isEmpty());
        assertThat(bucket.objects()).isEmpty();
    }

    private void correctTheSecret() {
        var right = KUBE.secrets()
                .inNamespace(namespace.name())
                .withName("store-credentials")
                .get();
        KUBE.secrets()
                .inNamespace(namespace.name())
                .withName("wrong-credentials")
                .edit(wrong -> {
                    wrong.setData(right.getData());
                    return wrong;
                });
    }

    private List<EtcdBackup> backups() {
        return KUBE.resources(EtcdBackup.class)
                .inNamespace(namespace.name())
                .list()
                .getItems();
    }
}
