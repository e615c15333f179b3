package etcdoperator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.MetricsHistory.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MetricsHistoryTest {
    private static final Instant FIRST = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LATER = FIRST.plusSeconds(7);
    private static final MemberId SELF = new MemberId(0xa0);
    private static final MemberId OTHER = new MemberId(0xa1);

    private final MetricsHistory first = MetricsHistory.of(reading(SELF, 10, true, true), FIRST, Optional.empty());

    @Test
    void everythingBeginsWithTheFirstReading() {
        assertThat(first)
                .isEqualTo(new MetricsHistory(
                        Optional.of(SELF),
                        FIRST,
                        FIRST,
                        42,
                        10,
                        FIRST,
                        Optional.of(FIRST),
                        Map.of(OTHER, new Connection(true, FIRST))));
    }

    @Test
    void whatStaysTheSameKeepsItsTime() {
        assertThat(after(reading(SELF, 10, true, true)))
                .isEqualTo(new MetricsHistory(
                        Optional.of(SELF),
                        FIRST,
                        LATER,
                        42,
                        10,
                        FIRST,
                        Optional.of(FIRST),
                        Map.of(OTHER, new Connection(true, FIRST))));
    }

    @Test
    void whatChangesBeginsAnew() {
        assertThat(after(reading(SELF, 11, false, false)))
                .isEqualTo(new MetricsHistory(
                        Optional.of(SELF),
                        FIRST,
                        LATER,
                        42,
                        11,
                        LATER,
                        Optional.empty(),
                        Map.of(OTHER, new Connection(false, LATER))));
    }

    @Test
    void anotherMemberHasAnotherHistory() {
        assertThat(after(reading(OTHER, 10, true, true)).begunAt()).isEqualTo(LATER);
    }

    @Test
    void whatWasReadAWhileAgoIsNotFresh() {
        assertThat(first.isFresh(LATER, Duration.ofSeconds(7))).isFalse();
        assertThat(first.isFresh(LATER, Duration.ofSeconds(8))).isTrue();
    }

    private MetricsHistory after(MetricsReading reading) {
        return MetricsHistory.of(reading, LATER, Optional.of(first));
    }

    private static MetricsReading reading(MemberId self, long committed, boolean leads, boolean connected) {
        return new MetricsReading(Optional.of(self), 42, committed, leads, Map.of(OTHER, connected));
    }
}
