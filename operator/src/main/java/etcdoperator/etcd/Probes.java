package etcdoperator.etcd;

import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.PeerName;
import java.util.Map;

/** Asks the members of each cluster again and again, and knows what each of them answered last. */
public interface Probes {
    /** Makes these the members that are asked, at this pace. */
    void watch(ClusterKey cluster, Map<PeerName, Endpoint> members, Pace pace);

    /** The last answer of each member at its endpoint. A member that was not asked there yet is missing. */
    Map<PeerName, Answer> answers(ClusterKey cluster, Map<PeerName, Endpoint> members);

    /** Asks every member of the cluster at once, because its last answer is no longer true. */
    void askAgain(ClusterKey cluster);
}
