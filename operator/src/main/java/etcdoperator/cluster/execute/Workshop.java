package etcdoperator.cluster.execute;

import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.Chores;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.etcd.Endpoint;
import java.util.Map;

/** Where chores are done while passes go on. */
public interface Workshop {
    /** Begins a chore, unless one is being done for this cluster already. Its end starts a pass. */
    void begin(ClusterKey cluster, Chore chore, Map<MemberId, Contact> members);

    /** What has come of the chores so far. */
    Chores done(ClusterKey cluster);

    void forget(ClusterKey cluster);

    /** Who a member is, where it can be asked, and how it speaks. */
    record Contact(PeerName peer, Endpoint endpoint, Transport transport) {}
}
