package etcdoperator.reconcile;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts passes, and knows how long the oldest one under way has been running, and whether any begins. */
public final class QueueMeter {
    private final LongAdder passes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final Set<Running> underWay = ConcurrentHashMap.newKeySet();
    private final Map<Object, Long> waiting = new ConcurrentHashMap<>();

    private volatile long lastBegan = System.nanoTime();

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

    /** How long keys have been waiting without any pass beginning. */
    public Duration stalled() {
        long now = System.nanoTime();
        long last = lastBegan;
        return Duration.ofNanos(waiting.values().stream()
                .mapToLong(since -> Math.min(now - since, now - last))
                .max()
                .orElse(0));
    }

    void queued(Object key) {
        waiting.put(key, System.nanoTime());
    }

    void begins(Object key) {
        waiting.remove(key);
    }

    long began() {
        long now = System.nanoTime();
        underWay.add(new Running(now, Thread.currentThread()));
        lastBegan = now;
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
