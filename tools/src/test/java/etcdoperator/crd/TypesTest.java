package etcdoperator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.ImageSpec;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerImage;
import etcdoperator.api.PodTemplate;
import etcdoperator.api.PullPolicy;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupStatus;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the Java types make of manifests, and manifests of them. */
class TypesTest {
    @Test
    void theSampleIsRead() {
        EtcdCluster cluster = read("config/samples/etcd_v1alpha1_etcdcluster.yaml", EtcdCluster.class);

        assertThat(cluster.getSpec().replicas()).isEqualTo(3);
        assertThat(cluster.getSpec().version()).isEqualTo("3.6.16");
        assertThat(cluster.getSpec().imageOrDefault().at("3.6.16"))
                .isEqualTo(new PeerImage("quay.io/coreos/etcd:v3.6.16", PullPolicy.IF_NOT_PRESENT));
        assertThat(cluster.getSpec().podTemplateWithAffinity().affinity())
                .isNotNull()
                .isEqualTo(cluster.getSpec().affinity());
        assertThat(cluster.getStatus()).isNull();
    }

    @Test
    void absentPartsOfAPodTemplateAreEmpty() {
        EtcdCluster cluster = read("tools/src/test/resources/crd/valid/minimal.yaml", EtcdCluster.class);

        assertThat(cluster.getSpec().podTemplateWithAffinity()).isEqualTo(PodTemplate.EMPTY);
        assertThat(PodTemplate.EMPTY.env()).isEmpty();
        assertThat(PodTemplate.EMPTY.metadataOrEmpty().annotations()).isEmpty();
        assertThat(cluster.getSpec().imageOrDefault()).isEqualTo(ImageSpec.DEFAULT);
    }

    @Test
    void aPeerIsWrittenAsItIsRead() {
        Manifest manifest = Manifest.read(Manifest.FOLDER.resolve("valid/peer-new.yaml"));
        EtcdPeer peer = Serialization.unmarshal(manifest.text(), EtcdPeer.class);

        assertThat(peer.getSpec().bootstrap().initialClusterState()).isEqualTo(InitialClusterState.NEW);
        assertThat(peer.getSpec().bootstrap().staticBootstrap().initialCluster())
                .hasSize(2);
        assertThat(Serialization.unmarshal(Serialization.asYaml(peer), EtcdPeer.class))
                .isEqualTo(peer);
    }

    @Test
    void aStatusReadBackEqualsTheOneWritten() {
        String yaml = Serialization.asYaml(StatusExamples.CLUSTER);

        assertThat(yaml).contains("role: \"Leader\"", "type: \"Bootstrap\"", "startedAt: \"2026-11-15T10:00:00Z\"");
        assertThat(Serialization.unmarshal(yaml, EtcdClusterStatus.class)).isEqualTo(StatusExamples.CLUSTER);
    }

    @Test
    void nothingIsWrittenForWhatIsAbsent() {
        assertThat(Serialization.asJson(EtcdClusterStatus.EMPTY)).isEqualTo("{\"replicas\":0,\"readyReplicas\":0}");
        assertThat(Serialization.asJson(PodTemplate.EMPTY)).isEqualTo("{}");
    }

    @Test
    void fieldsOfANewerReleaseDoNotStopAnOlderOperator() {
        EtcdCluster cluster = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: my-cluster}
                spec:
                  replicas: 1
                  version: 3.6.16
                  fromTheFuture: {much: more}
                  storage: {fromTheFuture: 1, volumeClaimTemplate: {}}
                status: {fromTheFuture: 2}
                """, EtcdCluster.class);

        assertThat(cluster.getSpec().replicas()).isEqualTo(1);
        assertThat(cluster.getStatus()).isEqualTo(EtcdClusterStatus.EMPTY);
    }

    @Test
    void theSamplesOfBackupsAreRead() {
        EtcdBackup backup = read("config/samples/etcd_v1alpha1_etcdbackup.yaml", EtcdBackup.class);
        assertThat(backup.getSpec().source().cluster()).isEqualTo("my-cluster");
        assertThat(backup.getSpec().deadline()).isEmpty();

        EtcdBackupSchedule schedule =
                read("config/samples/etcd_v1alpha1_etcdbackupschedule.yaml", EtcdBackupSchedule.class);
        assertThat(schedule.getSpec().retention()).isNotNull();
        assertThat(schedule.getSpec().retention().daysOfPreviousMonth()).containsExactly(1, 15);
        assertThat(Serialization.asJson(EtcdBackupStatus.EMPTY)).isEqualTo("{}");
    }

    private static <T> T read(String file, Class<T> type) {
        return Serialization.unmarshal(Manifest.read(Path.of(file)).text(), type);
    }
}
