package etcdoperator.reconcile;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts passes, and knows how long the oldest one under way has been running. */
public final class QueueMeter {
    private final LongAdder passes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final Set<Running> underWay = ConcurrentHashMap.newKeySet();

    /** Told apart by identity: two may begin in the same nanosecond. */
    private record Running(long since, Object self) {}

    public long passes() {
        return passes.sum();
    }

    public long failures() {
        return failures.sum();
    }

    public double secondsSpent() {
        return nanos.sum() / 1e9;
    }

    public Duration oldestUnderWay() {
        long now = System.nanoTime();
        return Duration.ofNanos(underWay.stream()
                .mapToLong(running -> now - running.since)
                .max()
                .orElse(0));
    }

    long began() {
        long now = System.nanoTime();
        underWay.add(new Running(now, Thread.currentThread()));
        return now;
    }

    void failed() {
        failures.increment();
    }

    void ended(long began) {
        underWay.remove(new Running(began, Thread.currentThread()));
        passes.increment();
        nanos.add(System.nanoTime() - began);
    }
}
