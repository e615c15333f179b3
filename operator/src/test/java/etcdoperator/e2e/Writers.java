package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that write all the time, each to whichever member answers, and remember every write that was acknowledged. A
 * write that was not acknowledged may or may not be there; one that was must be, for ever. A watcher runs beside them
 * and must see every one of them, in order.
 */
final class Writers implements AutoCloseable {
    static final String PREFIX = "written/";
    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration REFRESH = Duration.ofMillis(300);
    private static final int COUNT = 3;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(COUNT + 1);
    private final Endpoints endpoints;
    private final Watcher watcher;
    /** Keys, and the revisions at which etcd said it wrote them. */
    private final Map<String, Long> acknowledged = new ConcurrentSkipListMap<>();

    private final AtomicLong sequence = new AtomicLong();

    private Writers(TestCluster cluster, Optional<Login> login) {
        this.endpoints = new Endpoints(cluster, login);
        this.watcher = Watcher.start(cluster, login);
    }

    static Writers start(TestCluster cluster) {
        return start(cluster, Optional.empty());
    }

    /** As this user, once etcd asks. */
    static Writers start(TestCluster cluster, Optional<Login> login) {
        var writers = new Writers(cluster, login);
        writers.repeat(writers.endpoints::refresh, REFRESH);
        for (int writer = 0; writer < COUNT; writer++) {
            writers.repeat(writers::write, PAUSE);
        }
        return writers;
    }

    /** Waits until this many more writes are acknowledged. */
    void awaitMore(int writes) {
        int goal = acknowledged.size() + writes;
        eventually().until(() -> acknowledged.size() >= goal);
    }

    /** Whether any member takes a write now. */
    boolean canWrite() {
        return endpoints.all().stream().anyMatch(member -> {
            try {
                return member.put("probe", "", DEADLINE) > 0;
            } catch (StatusRuntimeException e) {
                return false;
            }
        });
    }

    /** From here on nothing more is written. */
    void stop() {
        threads.shutdown();
        try {
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads everything back through a quorum, and asks the watcher what it has seen. To be called once stopped. */
    void assertNothingLost() {
        assertAllIsKept();
        watcher.assertSawExactly(this::readBack);
    }

    /** The same for clusters that were restored, which compacts all history: whoever watches has to begin anew. */
    void assertAllIsKept() {
        assertThat(threads.isTerminated()).as("writers have stopped").isTrue();
        assertThat(acknowledged)
                .as("acknowledged writes, without which this proves nothing")
                .isNotEmpty();
        Map<String, Long> kept = eventually().until(this::readBack, found -> true);
        assertThat(kept).as("what etcd has").containsAllEntriesOf(acknowledged);
    }

    @Override
    public void close() {
        stop();
        watcher.close();
        endpoints.close();
    }

    private Map<String, Long> readBack() {
        endpoints.refresh();
        Map<String, Long> revisions = new TreeMap<>();
        endpoints.anyOne().getFirst().read(PREFIX).forEach((key, entry) -> revisions.put(key, entry.getModRevision()));
        return revisions;
    }

    private void repeat(Runnable task, Duration pause) {
        var _ = threads.scheduleWithFixedDelay(task, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void write() {
        String key = PREFIX + "%08d".formatted(sequence.getAndIncrement());
        for (Etcd member : endpoints.anyOne()) {
            try {
                acknowledged.put(key, member.put(key, "", DEADLINE));
            } catch (StatusRuntimeException e) {
                // not acknowledged: it may be there or not
            }
        }
    }
}
