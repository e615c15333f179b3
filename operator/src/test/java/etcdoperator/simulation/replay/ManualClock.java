package etcdoperator.simulation.replay;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Time that passes only when the history says so. */
public final class ManualClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public void advance(Duration time) {
        now = now.plus(time);
    }

    public void set(Instant time) {
        now = time;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** For what measures with {@link System#nanoTime()}. */
    public long nanoTime() {
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
