package etcdoperator.backup;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.backup.BackupView.Readiness;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourcesTest {
    private final List<Pod> pods = new ArrayList<>(List.of(pod("c-0"), pod("c-1"), pod("c-2"), pod("c-3")));
    private final List<Secret> secrets = new ArrayList<>();
    private String auth = "";

    /** The leader has enough to do, and a learner may refuse. */
    @Test
    void healthyFollowersAreAskedFirstAndLearnersLast() {
        assertThat(sources().endpoints())
                .containsExactly(
                        "http://c-2.c.ns.svc:2379",
                        "http://c-1.c.ns.svc:2379",
                        "http://c-0.c.ns.svc:2379",
                        "http://c-3.c.ns.svc:2379");
    }

    @Test
    void whoHasNoPodIsNotAsked() {
        pods.removeIf(pod -> !pod.getMetadata().getName().equals("c-1"));
        assertThat(sources().endpoints()).containsExactly("http://c-1.c.ns.svc:2379");
    }

    @Test
    void ofAClusterThatSleepsNobodyRuns() {
        pods.clear();
        assertThat(sources().readiness())
                .isEqualTo(
                        new Readiness.NobodyRuns("No member of EtcdCluster c runs that could be asked for a snapshot"));
    }

    @Test
    void whereTlsIsRequiredACertificateIsNeeded() {
        pods.forEach(pod -> pod.getMetadata().setAnnotations(Map.of(Labels.CLIENT_TLS, "REQUIRED")));
        assertThat(sources().readiness())
                .isEqualTo(new Readiness.NotYet(
                        "CertificateMissing", "The certificate for clients of EtcdCluster c is not there yet"));
    }

    @Test
    void whereUsersLogInTheOperatorsPasswordIsMounted() {
        auth = "auth: {enabled: true}";
        assertThat(sources().readiness()).isInstanceOf(Readiness.NotYet.class);
        secrets.add(new SecretBuilder()
                .withNewMetadata()
                .withName("c-operator-password")
                .endMetadata()
                .addToData("password", "c2VjcmV0")
                .build());
        assertThat(sources().readiness()).isEqualTo(new Readiness.Ready());
        assertThat(sources().kit().flags()).contains("--root-dir=/etc/etcd-agent/login");
        assertThat(sources().kit().volumes())
                .singleElement()
                .satisfies(
                        volume -> assertThat(volume.getSecret().getSecretName()).isEqualTo("c-operator-password"));
    }

    private Sources sources() {
        EtcdCluster cluster =
                Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, namespace: ns, uid: u}
                spec:
                  replicas: 3
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                %s
                status:
                  replicas: 4
                  readyReplicas: 2
                  members:
                    - {id: a, name: c-0, role: Voter, healthy: false}
                    - {id: b, name: c-1, role: Leader, healthy: true}
                    - {id: c, name: c-2, role: Voter, healthy: true}
                    - {id: d, name: c-3, role: Learner, healthy: true}
                """.formatted(auth.isEmpty() ? "" : "  " + auth), EtcdCluster.class);
        EtcdBackup backup = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b, namespace: ns}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                """, EtcdBackup.class);
        var objects = new ClusterObjects(
                cluster,
                List.of(peer("c-0"), peer("c-1"), peer("c-2"), peer("c-3")),
                List.of(),
                List.of(),
                pods,
                List.of(),
                secrets,
                List.of(),
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                Map.of());
        return new Sources(new BackupObjects(backup, Optional.of(objects), List.of(), List.of(), List.of(), List.of()));
    }

    private static EtcdPeer peer(String name) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdPeer
                metadata: {name: %1$s, namespace: ns}
                spec:
                  clusterName: c
                  version: 3.6.16
                  image: {reference: etcd, pullPolicy: IfNotPresent}
                  storage: {volumeClaimTemplate: {}}
                  bootstrap: {static: {initialCluster: []}, initialClusterState: Existing}
                  claimName: %1$s
                """.formatted(name), EtcdPeer.class);
    }

    private static Pod pod(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of(Labels.PEER, name))
                .endMetadata()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
    }
}
