package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.PeerName;
import java.util.Optional;

/**
 * An EtcdPeer as the cache has it.
 *
 * @param mayFoundCluster whether it still says {@code initialClusterState: New}
 * @param templateMayFound whether a pod made now would still say so
 * @param problem why its ReplicaSet has no pod, where Kubernetes says so
 */
public record PeerView(
        PeerName name,
        Owner owner,
        boolean deleting,
        String claimName,
        boolean mayFoundCluster,
        boolean templateMayFound,
        Optional<Problem> problem) {

    /** Whose peer it is: names come back, uids do not. */
    public enum Owner {
        THIS_CLUSTER,
        EARLIER_CLUSTER,
        /** Left behind by a deletion that spared it, to be taken up by the next cluster of the name. */
        NOBODY
    }
}
