package etcdoperator.backup;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.Labels;
import etcdoperator.peer.PeerPass;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/** Three members that run and say nothing, with the operator's pass over their peers and the controllers of Kubernetes. */
final class SilentCluster {
    private static final List<String> PEERS = List.of("c-0", "c-1", "c-2");
    private final BackupWorld world;

    private SilentCluster(BackupWorld world) {
        this.world = world;
    }

    static SilentCluster in(BackupWorld world) throws StaleViewException {
        var silent = new SilentCluster(world);
        silent.is(3, "");
        for (String peer : PEERS) {
            world.has(peer(peer, false));
            world.has(claim(peer));
        }
        silent.turns();
        return silent;
    }

    /** @param more of its spec */
    void is(int replicas, String more) {
        status(replicas, more, false, "");
    }

    void answersAgain() {
        status(3, "", true, "");
    }

    /** @param more of its status */
    void reports(String more) {
        status(3, "", false, more);
    }

    void fallsAsleep() {
        is(0, "");
        PEERS.forEach(name -> {
            EtcdPeer asleep = world.find(EtcdPeer.class, name).orElseThrow();
            asleep.setSpec(peer(name, true).getSpec());
            world.changes(asleep);
        });
    }

    /** Who runs, by the pods that are there. */
    List<String> running() {
        return PEERS.stream()
                .filter(name -> world.find(Pod.class, name + "-pod").isPresent())
                .toList();
    }

    /** Each peer's pass, and then Kubernetes does what it was told. */
    void turns() throws StaleViewException {
        for (String peer : PEERS) {
            new PeerPass(world, world.kube(), IpFamily.IPV4).run(new PeerKey(BackupWorld.NAMESPACE, peer));
            world.find(ReplicaSet.class, peer).ifPresent(this::scale);
        }
    }

    private void scale(ReplicaSet set) {
        String name = set.getMetadata().getName() + "-pod";
        int replicas = set.getSpec().getReplicas();
        world.changes(new ReplicaSetBuilder(set)
                .withNewStatus()
                .withObservedGeneration(set.getMetadata().getGeneration())
                .withReplicas(replicas)
                .endStatus()
                .build());
        if (replicas == 0) {
            world.find(Pod.class, name).ifPresent(world::remove);
        } else if (world.find(Pod.class, name).isEmpty()) {
            world.has(new PodBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withLabels(set.getSpec().getTemplate().getMetadata().getLabels())
                    .withAnnotations(set.getSpec().getTemplate().getMetadata().getAnnotations())
                    .addNewOwnerReference()
                    .withUid(set.getMetadata().getUid())
                    .endOwnerReference()
                    .endMetadata()
                    .withSpec(set.getSpec().getTemplate().getSpec())
                    .withNewStatus()
                    .withPhase("Running")
                    .endStatus()
                    .build());
        }
    }

    private void status(int replicas, String spec, boolean well, String more) {
        world.has(Serialization.unmarshal(
                """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c}
                spec:
                  replicas: %d
                  version: 3.6.16
                  storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                  %s
                status:
                  replicas: 3
                  readyReplicas: 0
                  clusterId: abc
                  %s
                  members:
                    - {id: a, name: c-0, role: Voter, healthy: false}
                    - {id: b, name: c-1, role: Voter, healthy: %s}
                    - {id: c, name: c-2, role: Voter, healthy: false}
                  conditions:
                    - {type: Available, status: "%s", reason: Any, message: any, lastTransitionTime: "2026-11-15T09:50:00Z"}
                """.formatted(replicas, spec, more, well, well ? "True" : "False"), EtcdCluster.class));
    }

    private static EtcdPeer peer(String name, boolean stopped) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdPeer
                metadata:
                  name: %1$s
                  ownerReferences: [{apiVersion: etcd.improbable.io/v1alpha1, kind: EtcdCluster, name: c, uid: u, controller: true}]
                spec:
                  clusterName: c
                  version: 3.6.16
                  image: {reference: etcd, pullPolicy: IfNotPresent}
                  storage: {volumeClaimTemplate: {}}
                  podTemplate: {nodeSelector: {disk: fast}, securityContext: {runAsUser: 1000, fsGroup: 1000}}
                  bootstrap: {static: {initialCluster: []}, initialClusterState: Existing}
                  claimName: %1$s
                  stopped: %2$s
                """.formatted(name, stopped), EtcdPeer.class);
    }

    private static PersistentVolumeClaim claim(String name) {
        return Serialization.unmarshal(
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: %s
                  labels: {%s: c}
                  annotations: {%s: abc, %s: a, %s: 3.6.16}
                spec: {resources: {requests: {storage: 1Gi}}}
                status: {phase: Bound}
                """.formatted(name, Labels.CLUSTER, Labels.CLUSTER_ID, Labels.MEMBER_ID, Labels.VERSION),
                PersistentVolumeClaim.class);
    }
}
