package io.improbable.etcd.e2e;

import static io.improbable.etcd.e2e.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that write all the time, each to whichever member answers, and remember every write that was acknowledged. A
 * write that was not acknowledged may or may not be there; one that was must be, for ever.
 */
final class Writers implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Duration REFRESH = Duration.ofMillis(300);
    private static final String PREFIX = "written/";

    private final TestCluster cluster;
    private final ScheduledExecutorService threads;
    private final Map<String, Etcd> connections = new ConcurrentHashMap<>();
    private final Map<String, String> acknowledged = new ConcurrentSkipListMap<>();
    private final AtomicLong sequence = new AtomicLong();
    private volatile List<String> addresses = List.of();

    private Writers(TestCluster cluster, int count) {
        this.cluster = cluster;
        this.threads = Executors.newScheduledThreadPool(count);
    }

    static Writers start(TestCluster cluster) {
        int count = 4;
        var writers = new Writers(cluster, count + 1);
        writers.refreshAddresses();
        writers.threads.scheduleWithFixedDelay(
                writers::refreshAddresses, REFRESH.toMillis(), REFRESH.toMillis(), TimeUnit.MILLISECONDS);
        for (int writer = 0; writer < count; writer++) {
            writers.threads.scheduleWithFixedDelay(writers::write, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
        return writers;
    }

    /** Waits until this many more writes are acknowledged. */
    void awaitMore(int writes) {
        int goal = acknowledged.size() + writes;
        eventually().until(() -> acknowledged.size() >= goal);
    }

    int acknowledged() {
        return acknowledged.size();
    }

    /** Whether any member takes a write now. */
    boolean canWrite() {
        return currentAddresses().stream().anyMatch(address -> {
            try {
                connection(address).put("probe", "", DEADLINE);
                return true;
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

    /** Reads everything back through a quorum. */
    void assertNothingLost() {
        assertThat(acknowledged)
                .as("acknowledged writes, without which this proves nothing")
                .isNotEmpty();
        eventually().untilAsserted(() -> {
            String address = currentAddresses()
                    .get((int) (sequence.getAndIncrement() % currentAddresses().size()));
            assertThat(connection(address).read(PREFIX)).containsAllEntriesOf(acknowledged);
        });
    }

    @Override
    public void close() {
        stop();
        connections.values().forEach(Etcd::close);
    }

    private void write() {
        long number = sequence.getAndIncrement();
        List<String> known = addresses;
        if (known.isEmpty()) {
            return;
        }
        String key = PREFIX + number;
        try {
            connection(known.get((int) (number % known.size()))).put(key, "value " + number, DEADLINE);
            acknowledged.put(key, "value " + number);
        } catch (StatusRuntimeException e) {
            // not acknowledged: it may be there or not
        }
    }

    private void refreshAddresses() {
        try {
            addresses = currentAddresses();
        } catch (KubernetesClientException e) {
            // the API server is away: the old addresses are as good as any
        }
    }

    private List<String> currentAddresses() {
        return cluster.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .map((Pod pod) -> pod.getStatus().getPodIP())
                .filter(Objects::nonNull)
                .toList();
    }

    private Etcd connection(String address) {
        return connections.computeIfAbsent(address, Etcd::new);
    }
}
