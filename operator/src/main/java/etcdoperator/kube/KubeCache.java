package etcdoperator.kube;

import etcdoperator.api.EtcdPeer;
import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.util.List;
import java.util.Optional;

/** What a pass may read: never the API server itself, so a pass costs no request. */
public interface KubeCache {
    Optional<ClusterObjects> cluster(ClusterKey key);

    /** Also those of a cluster that is not there: claims outlive it. */
    List<PersistentVolumeClaim> claimsOf(ClusterKey key);

    Optional<PeerObjects> peer(PeerKey key);

    /** An EtcdPeer, and the ReplicaSet of its name and the pods that carry it, whoever owns them. */
    record PeerObjects(EtcdPeer peer, Optional<ReplicaSet> replicaSet, List<Pod> pods) {}

    /** Where an EtcdPeer lives. */
    record PeerKey(String namespace, String name) {
        @Override
        public String toString() {
            return namespace + "/" + name;
        }
    }
}
