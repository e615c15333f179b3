package io.improbable.etcd.etcd;

import io.improbable.etcd.etcd.EtcdException.Kind;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Reads the page that is there for Prometheus. */
public final class HttpMemberMetrics implements MemberMetrics {
    /** Grows by one with each snapshot file, on every tested line. */
    private static final String SNAPSHOTS = "etcd_snap_fsync_duration_seconds_count ";

    @Override
    public long raftSnapshots(URI metrics, Duration deadline) throws EtcdException {
        HttpResponse<String> answer = Http.get("metrics", metrics.resolve("/metrics"), deadline);
        if (answer.statusCode() != 200) {
            throw new EtcdException(Kind.NO_ANSWER, "metrics: HTTP " + answer.statusCode());
        }
        return answer.body()
                .lines()
                .filter(line -> line.startsWith(SNAPSHOTS))
                .map(line -> (long) Double.parseDouble(line.substring(SNAPSHOTS.length())))
                .findFirst()
                .orElseThrow(() -> new EtcdException(Kind.REFUSED, "metrics: nothing about raft snapshots"));
    }
}
