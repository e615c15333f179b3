package etcdoperator.etcd;

import java.net.URI;
import java.time.Duration;

/** What members count. */
public interface MemberMetrics {
    /**
     * How many raft snapshots the process has brought to its disk since it started, those it was sent by the leader
     * among them.
     *
     * @param metrics scheme, host and port of the listener for metrics
     */
    long raftSnapshots(URI metrics, Duration deadline) throws EtcdException;
}
