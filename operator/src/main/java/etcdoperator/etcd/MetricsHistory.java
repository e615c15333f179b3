package etcdoperator.etcd;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import etcdoperator.domain.MemberId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The latest reading of a member's metrics, and since when it has been so. All times begin with the first reading.
 *
 * @param begunAt when the first of these readings was made
 * @param at when the latest one was made
 * @param committedSince since when no entry was committed, as far as the member knows
 * @param leadsSince since when it has been the leader; empty if it is not
 */
public record MetricsHistory(
        Optional<MemberId> member,
        Instant begunAt,
        Instant at,
        long revision,
        long committed,
        Instant committedSince,
        Optional<Instant> leadsSince,
        Map<MemberId, Connection> connections) {
    /** @param since when the member began to count the other one as connected, or as not connected */
    public record Connection(boolean active, Instant since) {}

    /** @param before the history up to this reading; empty for the first one, or after a gap */
    public static MetricsHistory of(MetricsReading now, Instant at, Optional<MetricsHistory> before) {
        Optional<MetricsHistory> known = before.filter(history -> history.member.equals(now.member()));
        return new MetricsHistory(
                now.member(),
                known.map(MetricsHistory::begunAt).orElse(at),
                at,
                now.revision(),
                now.committed(),
                known.filter(history -> history.committed == now.committed())
                        .map(MetricsHistory::committedSince)
                        .orElse(at),
                now.leads() ? known.flatMap(MetricsHistory::leadsSince).or(() -> Optional.of(at)) : Optional.empty(),
                now.connections().entrySet().stream()
                        .collect(toUnmodifiableMap(
                                Map.Entry::getKey, entry -> connection(entry.getKey(), entry.getValue(), at, known))));
    }

    private static Connection connection(MemberId other, boolean active, Instant at, Optional<MetricsHistory> known) {
        return known.flatMap(history -> history.connection(other))
                .filter(connection -> connection.active == active)
                .orElse(new Connection(active, at));
    }

    /** Empty for a member that this one does not know. */
    public Optional<Connection> connection(MemberId other) {
        return Optional.ofNullable(connections.get(other));
    }

    /** Whether the latest reading is young enough to be acted on. */
    public boolean isFresh(Instant now, Duration age) {
        return at.plus(age).isAfter(now);
    }

    /** The members that this one counts as not connected. */
    public Set<MemberId> disconnected() {
        return connections.entrySet().stream()
                .filter(entry -> !entry.getValue().active())
                .map(Map.Entry::getKey)
                .collect(toUnmodifiableSet());
    }
}
