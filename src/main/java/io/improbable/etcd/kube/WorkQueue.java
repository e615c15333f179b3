package io.improbable.etcd.kube;

import io.improbable.etcd.kube.Kube.StaleViewException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
    private static final Duration AFTER_STALE_VIEW = Duration.ofMillis(200);
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
                current.running = true;
                workers.execute(() -> work(k));
            }
            return current;
        });
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
        while (again && !closed) {
            slots.computeIfPresent(key, (k, slot) -> {
                slot.wanted = false;
                cancel(slot);
                return slot;
            });
            Optional<Duration> later = runOnce(key);
            again = settle(key, later);
        }
    }

    private Optional<Duration> runOnce(K key) {
        places.acquireUninterruptibly();
        long started = meter.began();
        MDC.put(field, key.toString());
        try {
            Optional<Duration> later = pass.run(key);
            slots.computeIfPresent(key, (k, slot) -> {
                slot.failures = 0;
                return slot;
            });
            return later;
        } catch (StaleViewException e) {
            LOG.debug("Looking again: {}", e.getMessage());
            return Optional.of(AFTER_STALE_VIEW);
        } catch (RuntimeException e) {
            meter.failed();
            Duration delay = backOff(key);
            LOG.warn("A pass failed and is tried again in {}: {}", delay, e.toString(), e);
            return Optional.of(delay);
        } finally {
            MDC.remove(field);
            meter.ended(started);
            places.release();
        }
    }

    /** @return whether the key was woken in the meantime */
    private boolean settle(K key, Optional<Duration> later) {
        Slot left = slots.compute(key, (k, slot) -> {
            if (slot == null || slot.wanted) {
                return slot;
            }
            slot.running = false;
            if (later.isEmpty() || closed) {
                return null;
            }
            slot.later = timer.schedule(() -> wake(k), later.get().toMillis(), TimeUnit.MILLISECONDS);
            return slot;
        });
        return left != null && left.wanted;
    }

    private Duration backOff(K key) {
        Slot slot = slots.get(key);
        int failures = slot == null ? 1 : ++slot.failures;
        long millis = Math.min(LONGEST_RETRY.toMillis(), 100L << Math.min(failures, 12));
        return Duration.ofMillis(millis);
    }

    private static void cancel(Slot slot) {
        if (slot.later != null) {
            slot.later.cancel(false);
            slot.later = null;
        }
    }
}
