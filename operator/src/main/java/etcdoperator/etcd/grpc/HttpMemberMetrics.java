package etcdoperator.etcd.grpc;

import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.MemberMetrics;
import java.net.URI;
import java.time.Duration;

/** Reads what Prometheus would. */
public final class HttpMemberMetrics implements MemberMetrics {
    /** Grows by one with each snapshot file, on every tested line. */
    private static final String SNAPSHOTS = "etcd_snap_fsync_duration_seconds_count";

    @Override
    public long raftSnapshots(URI metrics, Duration deadline) throws EtcdException {
        return MetricsPage.at(metrics, deadline).required(SNAPSHOTS, "raft snapshots");
    }
}
