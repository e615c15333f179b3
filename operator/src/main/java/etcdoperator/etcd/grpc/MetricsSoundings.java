package etcdoperator.etcd.grpc;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.Soundings;
import java.time.Duration;
import java.util.Optional;

/** Asks where members tell their metrics, which they do also when they let no client in. */
public final class MetricsSoundings implements Soundings {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    /** On every tested line. */
    private static final String REVISION = "etcd_debugging_mvcc_current_revision";

    private final int port;

    /** @param port where members tell their metrics in plain HTTP */
    public MetricsSoundings(int port) {
        this.port = port;
    }

    @Override
    public Optional<Long> revisionAt(Endpoint member) {
        try {
            return Optional.of(MetricsPage.read(member.plain(port).url(), REVISION, "its revision", DEADLINE));
        } catch (EtcdException e) {
            return Optional.empty();
        }
    }
}
