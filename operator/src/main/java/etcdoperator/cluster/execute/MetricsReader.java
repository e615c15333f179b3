package etcdoperator.cluster.execute;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.MetricsHistory;
import etcdoperator.etcd.Soundings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads the metrics of one member, and remembers since when they have been as they are. For one thread. */
final class MetricsReader {
    private static final Duration BETWEEN_READINGS = Duration.ofSeconds(1);

    /** A port that a NetworkPolicy closes must not delay every answer of its member. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

    private final Endpoint endpoint;
    private final Soundings soundings;
    private final Clock clock;
    private Optional<MetricsHistory> history = Optional.empty();
    private Instant notBefore = Instant.MIN;

    MetricsReader(Endpoint endpoint, Soundings soundings, Clock clock) {
        this.endpoint = endpoint;
        this.soundings = soundings;
        this.clock = clock;
    }

    /** Of a member that answers: not at each of its answers. */
    Optional<MetricsHistory> readIfDue() {
        return clock.instant().isBefore(notBefore) ? history : read();
    }

    /** What was read before stays known if the metrics cannot be read now. */
    Optional<MetricsHistory> read() {
        var reading = soundings.read(endpoint);
        Instant now = clock.instant();
        notBefore = now.plus(reading.isPresent() ? BETWEEN_READINGS : AFTER_FAILURE);
        history = reading.map(values -> MetricsHistory.of(values, now, history)).or(() -> history);
        return history;
    }

    /** Nothing is known of the time until the next reading. */
    void forget() {
        history = Optional.empty();
        notBefore = Instant.MIN;
    }
}
