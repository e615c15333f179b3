package io.improbable.etcd.manifest;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpecBuilder;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import java.util.List;
import java.util.Map;

/** The claims that hold members' data. Nobody owns them: data outlives the cluster. */
public final class Claims {
    private Claims() {}

    /** A claim for a founder. It says which bootstrap it was made for from the first moment of its life. */
    public static PersistentVolumeClaim forBootstrap(EtcdCluster cluster, PeerName peer, String token, int size) {
        var key = Labels.keyOf(cluster);
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(peer.toString())
                .withLabels(Labels.ofPeer(key, peer))
                .withAnnotations(Map.of(Labels.BOOTSTRAP_TOKEN, token, Labels.BOOTSTRAP_SIZE, Integer.toString(size)))
                .endMetadata()
                .withSpec(withAccessModes(cluster.getSpec().storage().volumeClaimTemplate()))
                .build();
    }

    /** What a claim carries once a member was seen to run on it. */
    public static Map<String, String> heldBy(ClusterId clusterId, MemberId memberId) {
        return Map.of(Labels.CLUSTER_ID, clusterId.toString(), Labels.MEMBER_ID, memberId.toString());
    }

    private static PersistentVolumeClaimSpec withAccessModes(PersistentVolumeClaimSpec template) {
        return template.getAccessModes().isEmpty()
                ? new PersistentVolumeClaimSpecBuilder(template)
                        .withAccessModes(List.of("ReadWriteOnce"))
                        .build()
                : template;
    }
}
