package etcdoperator.contract.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerSpec;
import etcdoperator.api.ImageSpec;
import etcdoperator.api.PeerBootstrap;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerBootstrap.InitialMember;
import etcdoperator.api.StorageSpec;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;

/** What is put before an API server: one of each that is treated differently. */
record Things(String namespace) {
    static final Map<String, String> OURS = Map.of(Labels.CLUSTER, "c");

    private ObjectMeta named(String name, Map<String, String> labels) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name)
                .withLabels(labels)
                .build();
    }

    /** Of no storage class, so that nobody provides for it while it is looked at. */
    PersistentVolumeClaim claim(Map<String, String> labels) {
        return new PersistentVolumeClaimBuilder()
                .withMetadata(named("c-0", labels))
                .editMetadata()
                .withAnnotations(Map.of(Labels.BOOTSTRAP_TOKEN, "t"))
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("")
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity("1Mi"))
                .endResources()
                .endSpec()
                .build();
    }

    /** On a node that is not there, so that nobody ends it while it is looked at. */
    Pod pod() {
        return new PodBuilder()
                .withMetadata(named("c-0-x7", OURS))
                .withNewSpec()
                .withNodeName("nowhere")
                .addNewContainer()
                .withName("etcd")
                .withImage("etcd")
                .endContainer()
                .endSpec()
                .build();
    }

    Service service(Map<String, String> labels, int port) {
        return new ServiceBuilder()
                .withMetadata(named("c", labels))
                .withNewSpec()
                .withClusterIP("None")
                .addNewPort()
                .withName("client")
                .withPort(port)
                .endPort()
                .endSpec()
                .build();
    }

    EtcdPeer peer() {
        var peer = new EtcdPeer();
        peer.setMetadata(named("c-0", OURS));
        peer.setSpec(new EtcdPeerSpec(
                "c",
                "3.6.16",
                ImageSpec.DEFAULT.at("3.6.16"),
                new StorageSpec(claim(OURS).getSpec()),
                null,
                null,
                null,
                start(InitialClusterState.NEW),
                "c-0",
                null));
        return peer;
    }

    EtcdCluster cluster() {
        EtcdCluster cluster = Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                spec:
                  replicas: 1
                  version: 3.6.16
                  paused: true
                  storage: {volumeClaimTemplate: {storageClassName: "", resources: {requests: {storage: 1Mi}}}}
                """, EtcdCluster.class);
        cluster.setMetadata(named("c", Map.of()));
        return cluster;
    }

    static EtcdPeer with(EtcdPeer peer, InitialClusterState state) {
        var changed = new EtcdPeer();
        changed.setMetadata(peer.getMetadata());
        changed.setSpec(peer.getSpec().withBootstrap(start(state)));
        changed.setStatus(peer.getStatus());
        return changed;
    }

    private static PeerBootstrap start(InitialClusterState state) {
        return PeerBootstrap.of(List.of(new InitialMember("c-0", "c-0.c", null)), state, "t");
    }

    static InitialClusterState state(EtcdPeer peer) {
        return peer.getSpec().bootstrap().initialClusterState();
    }
}
