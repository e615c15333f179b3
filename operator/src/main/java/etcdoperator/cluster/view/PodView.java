package etcdoperator.cluster.view;

import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import java.util.Optional;

/**
 * A pod that carries the cluster's name.
 *
 * @param ofLivingPeer whether its ReplicaSet belongs to a peer that is there now
 * @param claimName the claim it has its data on
 * @param lingers whether it is on its way out and may take its time about it
 * @param hasRun whether its etcd was started at least once
 * @param start what a restart of its container would do on an empty volume
 * @param serving whether the client service leads to it once it is ready
 * @param settings the hash of the settings that it was made with
 * @param transport how it speaks with clients and other members
 */
public record PodView(
        String name,
        PeerName peer,
        boolean ofLivingPeer,
        String claimName,
        boolean deleting,
        boolean lingers,
        boolean ready,
        boolean serving,
        boolean hasRun,
        Start start,
        String settings,
        Transport transport,
        Optional<String> address,
        Optional<String> node,
        Optional<Problem> problem) {

    /** A pod on its way out, or on an old volume, does not. */
    public boolean runs(PeerView owner) {
        return peer.equals(owner.name()) && ofLivingPeer && !deleting && claimName.equals(owner.claimName());
    }
}
