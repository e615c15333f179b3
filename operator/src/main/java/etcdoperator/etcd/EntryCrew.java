package etcdoperator.etcd;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Has one member commit entries without effect, many at a time, until closed. */
final class EntryCrew implements AutoCloseable {
    /** Enough to share the syncs of a disk, few enough that clients of the cluster hardly notice. */
    private static final int IN_FLIGHT = 32;

    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

    /** An election takes a second or two, and passes. */
    private static final Duration PATIENCE = Duration.ofSeconds(8);

    private final EtcdClient client;
    private final long limit;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong lastSuccess = new AtomicLong(System.nanoTime());
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Thread> threads;

    EntryCrew(EtcdClient client, long limit) {
        this.client = client;
        this.limit = limit;
        this.threads = IntStream.range(0, IN_FLIGHT)
                .mapToObj(i -> Thread.ofVirtual().name("raft entries " + i).unstarted(this::work))
                .toList();
        threads.forEach(Thread::start);
    }

    long entries() {
        return committed.get();
    }

    /** Whether all entries that were allowed are on their way or done. */
    boolean isSpent() {
        return begun.get() >= limit;
    }

    Optional<String> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** @return false if the caller was interrupted, and still is */
    boolean await(Duration time) {
        try {
            stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Calls that are under way are given up. */
    @Override
    public void close() {
        stopped.countDown();
        threads.forEach(Thread::interrupt);
    }

    private void work() {
        while (stopped.getCount() > 0 && begun.incrementAndGet() <= limit) {
            try {
                client.commitNothing(DEADLINE);
                committed.incrementAndGet();
                lastSuccess.set(System.nanoTime());
            } catch (EtcdException e) {
                failed(e);
            }
        }
    }

    private void failed(EtcdException e) {
        boolean refused = e.kind() == EtcdException.Kind.REFUSED || e.kind() == EtcdException.Kind.NO_ACCESS;
        if (refused || System.nanoTime() - lastSuccess.get() > PATIENCE.toNanos()) {
            if (stopped.getCount() > 0) {
                failure.compareAndSet(null, e.why());
            }
            stopped.countDown();
        } else {
            await(AFTER_FAILURE);
        }
    }
}
