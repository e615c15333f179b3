package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Patience.forAWhile;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerSpec;
import etcdoperator.api.ImageSpec;
import etcdoperator.api.PeerBootstrap;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerBootstrap.InitialMember;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.e2e.fixture.TestBackup;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A name that the cluster needs is somebody else's: it is not taken over, and people are told. */
@Execution(ExecutionMode.CONCURRENT)
class ForeignObjectsIT {
    private static final String VOLUME = "volume: {claimName: backups}";

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void aClaimThatWasThereBefore() {
        KUBE.resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName("taken-0")
                        .endMetadata()
                        .withSpec(TestCluster.storage("standard").volumeClaimTemplate())
                        .editSpec()
                        .withAccessModes("ReadWriteOnce")
                        .endSpec()
                        .build())
                .create();
        TestCluster cluster = namespace.cluster("taken", TestCluster.members(1)).create();

        saysWhoseItIs(cluster, "PersistentVolumeClaim taken-0 exists");
        forAWhile().until(() -> cluster.pods().isEmpty());

        KUBE.persistentVolumeClaims()
                .inNamespace(namespace.name())
                .withName("taken-0")
                .delete();
        cluster.awaitHealthy();
    }

    @Test
    void aServiceThatWasThereBefore() {
        Service theirs = KUBE.resource(new ServiceBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName("taken")
                        .endMetadata()
                        .withNewSpec()
                        .withSelector(Map.of("app", "web"))
                        .addNewPort()
                        .withPort(80)
                        .endPort()
                        .endSpec()
                        .build())
                .create();
        TestCluster cluster = namespace.cluster("taken", TestCluster.members(1)).create();

        saysWhoseItIs(cluster, "Service taken exists");
        forAWhile()
                .until(() -> KUBE.resource(theirs)
                        .get()
                        .getMetadata()
                        .getResourceVersion()
                        .equals(theirs.getMetadata().getResourceVersion()));

        KUBE.resource(theirs).delete();
        cluster.awaitHealthy();
    }

    @Test
    void aSecretThatWasThereBefore() {
        KUBE.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName("taken-ca")
                        .endMetadata()
                        .build())
                .create();
        TestCluster cluster = namespace
                .cluster("taken", TestCluster.members(1).withTls(TlsSpec.MANAGED))
                .create();

        saysWhoseItIs(cluster, "Secret taken-ca exists");
        KUBE.secrets().inNamespace(namespace.name()).withName("taken-ca").delete();
        cluster.awaitHealthy();
    }

    @Test
    void aPeerThatWasThereBefore() {
        var member = new InitialMember("taken-0", "taken-0.elsewhere", null);
        var theirs = new EtcdPeer();
        theirs.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace.name())
                .withName("taken-0")
                .build());
        theirs.setSpec(new EtcdPeerSpec(
                "theirs",
                TestCluster.VERSION,
                ImageSpec.DEFAULT.at(TestCluster.VERSION),
                TestCluster.storage("standard"),
                null,
                null,
                null,
                PeerBootstrap.of(List.of(member), InitialClusterState.EXISTING, null),
                "theirs-0",
                null));
        KUBE.resource(theirs).create();
        TestCluster cluster = namespace.cluster("taken", TestCluster.members(1)).create();

        saysWhoseItIs(cluster, "EtcdPeer taken-0 exists");

        KUBE.resource(theirs).delete();
        cluster.awaitHealthy();
    }

    @Test
    void aJobAndABackupThatWereThereBefore() {
        namespace.apply("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: taken-backup}
                spec:
                  suspend: true
                  template: {spec: {restartPolicy: Never, containers: [{name: theirs, image: "testbed.local/pause:1"}]}}
                """);
        var backup = TestBackup.create(namespace, "taken", "{endpoints: [\"http://nobody:2379\"]}", VOLUME);
        eventually().untilAsserted(() -> assertThat(backup.sentence()).contains("Job taken-backup exists"));

        TestBackup.create(
                namespace, "often-now-" + checksum("please"), "{endpoints: [\"http://nobody:2379\"]}", VOLUME);
        namespace.apply("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackupSchedule
                metadata: {name: often, annotations: {etcd.improbable.io/backup-now: please}}
                spec:
                  schedule: "@yearly"
                  backupTemplate: {source: {cluster: nobody}, destination: {%s}}
                """.formatted(VOLUME));
        eventually()
                .untilAsserted(() -> assertThat(KUBE.resources(EtcdBackupSchedule.class)
                                .inNamespace(namespace.name())
                                .withName("often")
                                .get()
                                .getStatus()
                                .conditions())
                        .anyMatch(condition -> condition.getMessage().contains("EtcdBackup often-now-")));
    }

    private static String checksum(String wish) {
        var checksum = new CRC32C();
        checksum.update(wish.getBytes(UTF_8));
        return "%08x".formatted(checksum.getValue());
    }

    private static void saysWhoseItIs(TestCluster cluster, String sentence) {
        eventually().untilAsserted(() -> {
            assertThat(cluster.is("Degraded")).as(cluster.conditions()).isTrue();
            assertThat(cluster.condition("Degraded").getMessage())
                    .startsWith(sentence)
                    .contains("is not this cluster's");
            assertThat(cluster.events())
                    .anyMatch(event -> event.getType().equals("Warning")
                            && event.getMessage()
                                    .equals(cluster.condition("Degraded").getMessage()));
        });
    }
}
