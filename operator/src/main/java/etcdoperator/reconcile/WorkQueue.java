package etcdoperator.reconcile;

import etcdoperator.kube.Kube.StaleViewException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs one pass a key at a time, several keys at once. A key that is woken while its pass runs gets one more pass; a
 * pass that fails is tried again for as long as it takes, less and less often.
 */
public final class WorkQueue<K> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
    private static final Duration LONGEST_AFTER_STALE_VIEW = Duration.ofSeconds(2);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

    /** @return when to run again, if the key is not woken before */
    @FunctionalInterface
    public interface Pass<K> {
        Optional<Duration> run(K key) throws StaleViewException;
    }

    private final String field;
    private final Pass<K> pass;
    private final QueueMeter meter;
    private final Semaphore places;
    private final Map<K, Slot> slots = new ConcurrentHashMap<>();
    private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("timer").factory());
    private volatile boolean closed;

    /** What is known of a key: whether it must run, and whether it does. */
    private static final class Slot {
        boolean wanted;
        boolean running;
        int failures;

        @Nullable
        ScheduledFuture<?> later;
    }

    /** @param field the name under which log lines show the key */
    public WorkQueue(String field, int atOnce, Pass<K> pass, QueueMeter meter) {
        this.field = field;
        this.places = new Semaphore(atOnce);
        this.pass = pass;
        this.meter = meter;
    }

    public void wake(K key) {
        slots.compute(key, (k, slot) -> {
            Slot current = slot == null ? new Slot() : slot;
            current.wanted = true;
            if (!current.running && !closed) {
                current.running = start(k);
            }
            return current;
        });
    }

    private boolean start(K key) {
        try {
            workers.execute(() -> work(key));
            return true;
        } catch (RejectedExecutionException e) {
            // The queue is being closed.
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        workers.shutdown();
        try {
            if (!workers.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("A pass was still running at the end; the next start goes on where it stopped");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work(K key) {
        boolean again = true;
        while (again) {
            again = settle(key, runOnce(key));
        }
    }

    private Optional<Duration> runOnce(K key) {
        places.acquireUninterruptibly();
        long started = meter.began();
        MDC.put(field, key.toString());
        try {
            // Only now: whatever woke the key while it waited for its place is seen by this very pass.
            begin(key);
            Optional<Duration> later = pass.run(key);
            forgetFailures(key);
            return later;
        } catch (StaleViewException e) {
            LOG.debug("Looking again: {}", e.getMessage());
            return Optional.of(backOff(key, LONGEST_AFTER_STALE_VIEW));
        } catch (RuntimeException | Error e) {
            // An Error, too: a key whose pass ended without a word would never be looked at again.
            meter.failed();
            Duration delay = backOff(key, LONGEST_RETRY);
            LOG.warn("A pass failed and is tried again in {}: {}", delay, e.toString(), e);
            return Optional.of(delay);
        } finally {
            MDC.remove(field);
            meter.ended(started);
            places.release();
        }
    }

    private void begin(K key) {
        slots.computeIfPresent(key, (k, slot) -> {
            slot.wanted = false;
            cancel(slot);
            return slot;
        });
    }

    private void forgetFailures(K key) {
        slots.computeIfPresent(key, (k, slot) -> {
            slot.failures = 0;
            return slot;
        });
    }

    /** @return whether the key was woken in the meantime; decided under the slot's lock, or two might run at once */
    private boolean settle(K key, Optional<Duration> later) {
        var again = new AtomicBoolean();
        slots.computeIfPresent(key, (k, slot) -> {
            again.set(slot.wanted && !closed);
            slot.running = again.get();
            if (again.get()) {
                return slot;
            }
            if (later.isEmpty() || closed) {
                return null;
            }
            slot.later = schedule(k, later.get());
            return slot;
        });
        return again.get();
    }

    private @Nullable ScheduledFuture<?> schedule(K key, Duration delay) {
        try {
            return timer.schedule(() -> wake(key), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The queue is being closed.
            return null;
        }
    }

    private Duration backOff(K key, Duration longest) {
        Slot slot = slots.get(key);
        int failures = slot == null ? 1 : ++slot.failures;
        long millis = Math.min(longest.toMillis(), 100L << Math.min(failures, 12));
        return Duration.ofMillis(millis);
    }

    private static void cancel(Slot slot) {
        if (slot.later != null) {
            slot.later.cancel(false);
            slot.later = null;
        }
    }
}
