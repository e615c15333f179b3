package etcdoperator.etcd.grpc;

import static java.util.stream.Collectors.toUnmodifiableMap;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.MetricsReading;
import etcdoperator.etcd.Soundings;
import java.time.Duration;
import java.util.Optional;

/** Asks where members tell their metrics, which they do also when they let no client in. */
public final class MetricsSoundings implements Soundings {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    // All of these are on every tested line.
    private static final String REVISION = "etcd_debugging_mvcc_current_revision";
    private static final String COMMITTED = "etcd_server_proposals_committed_total";
    private static final String LEADS = "etcd_server_is_leader";
    private static final String MEMBER = "etcd_server_id";
    private static final String CONNECTIONS = "etcd_network_active_peers";

    private final int port;

    /** @param port where members tell their metrics in plain HTTP */
    public MetricsSoundings(int port) {
        this.port = port;
    }

    @Override
    public Optional<MetricsReading> read(Endpoint member) {
        try {
            return Optional.of(read(MetricsPage.at(member.plain(port).url(), DEADLINE)));
        } catch (EtcdException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    static MetricsReading read(MetricsPage page) throws EtcdException {
        return new MetricsReading(
                page.numbers(MEMBER, "server_id").keySet().stream()
                        .map(MemberId::parse)
                        .findFirst(),
                page.required(REVISION, "its revision"),
                page.number(COMMITTED).orElse(0L),
                page.number(LEADS).orElse(0L) > 0,
                page.numbers(CONNECTIONS, "Remote").entrySet().stream()
                        .collect(toUnmodifiableMap(
                                entry -> MemberId.parse(entry.getKey()), entry -> entry.getValue() > 0)));
    }
}
