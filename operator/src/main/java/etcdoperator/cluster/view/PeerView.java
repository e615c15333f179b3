package etcdoperator.cluster.view;

import etcdoperator.api.TlsSetup;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * An EtcdPeer as the cache has it.
 *
 * @param start what its spec says of an empty volume
 * @param templateStart what a pod made now would say
 * @param startsWith the members it was told of for its first start, by their claims
 * @param unrecognised whether clients are kept away although it starts on its data: no member was recognised on it yet
 * @param stopped whether it is to have no pod
 * @param lastNode where its pod was last seen
 * @param unwellSince since when its member was not seen well
 * @param problem why its ReplicaSet has no pod, where Kubernetes says so
 * @param setup what its pod is to run
 */
public record PeerView(
        PeerName name,
        Owner owner,
        boolean deleting,
        String claimName,
        Start start,
        Start templateStart,
        Set<String> startsWith,
        boolean unrecognised,
        boolean stopped,
        Optional<String> lastNode,
        Optional<Instant> unwellSince,
        Optional<Problem> problem,
        Setup setup) {

    /**
     * @param version what its spec says
     * @param settings a hash over all of its spec that users can set
     * @param templateSettings the same, of what a pod made now would run
     * @param lastRan the version that was last seen to run
     * @param tls how its spec has it speak with clients and other members
     */
    public record Setup(
            EtcdVersion version,
            String settings,
            String templateSettings,
            Optional<EtcdVersion> lastRan,
            TlsSetup tls) {}

    /** Whose peer it is: names come back, uids do not. */
    public enum Owner {
        THIS_CLUSTER,
        EARLIER_CLUSTER,
        /** Left behind by a deletion that spared it, to be taken up by the next cluster of the name. */
        NOBODY
    }

    public boolean mayFoundCluster() {
        return start == Start.FOUNDS;
    }
}
