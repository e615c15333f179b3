package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.kube.ClusterObjects;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StandstillTest {
    private static final Membership SILENT = new Unreachable("no pod has an address yet");

    @Test
    void aMemberThatIsReadIsSilentForAReason() {
        assertThat(Standstill.explained(SILENT, objects("status: {phase: Running}")))
                .isEqualTo(new Unreachable(
                        "c-0 is stopped while EtcdBackup b reads its volume, because no member answered"));
    }

    @Test
    void afterwardsItIsNot() {
        assertThat(Standstill.explained(
                        SILENT, objects("status: {phase: Completed, completionTime: '2026-11-15T10:00:00Z'}")))
                .isEqualTo(SILENT);
    }

    private static ClusterObjects objects(String status) {
        EtcdBackup backup = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b, uid: u}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                """ + status, EtcdBackup.class);
        EtcdPeer peer = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdPeer
                metadata: {name: c-0, annotations: {etcd.improbable.io/read-by: b/u}}
                """, EtcdPeer.class);
        return new ClusterObjects(
                new EtcdCluster(),
                List.of(peer),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(backup),
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of());
    }
}
