package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.PeerName;
import java.util.Optional;

/**
 * A pod that carries the cluster's name.
 *
 * @param ofLivingPeer whether its ReplicaSet belongs to a peer that is there now
 * @param mayFoundCluster whether a restart of its container would still say {@code initial-cluster-state=new}
 */
public record PodView(
        String name,
        PeerName peer,
        boolean ofLivingPeer,
        boolean deleting,
        boolean ready,
        boolean mayFoundCluster,
        Optional<String> address,
        Optional<String> node,
        Optional<Problem> problem) {}
