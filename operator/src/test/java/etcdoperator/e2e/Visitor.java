package etcdoperator.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * A client that comes anew for each write, with what the Secret for clients holds at that moment, and that goes to
 * another member once if it is turned away.
 */
final class Visitor implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final TestCluster cluster;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger visits = new AtomicInteger();
    private final Queue<String> turnedAway = new ConcurrentLinkedQueue<>();

    private Visitor(TestCluster cluster) {
        this.cluster = cluster;
    }

    static Visitor start(TestCluster cluster) {
        var visitor = new Visitor(cluster);
        var _ = visitor.thread.scheduleWithFixedDelay(visitor::visit, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        return visitor;
    }

    private void visit() {
        List<Pod> open = cluster.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && Readiness.isPodReady(pod))
                .collect(Collectors.toList());
        Collections.shuffle(open);
        StringBuilder refusals = new StringBuilder();
        for (Pod pod : open.stream().limit(2).toList()) {
            try (Etcd etcd = Etcd.of(pod)) {
                etcd.put("visit", Integer.toString(visits.get()), DEADLINE);
                visits.incrementAndGet();
                return;
            } catch (StatusRuntimeException e) {
                refusals.append(Instant.now())
                        .append(' ')
                        .append(pod.getMetadata().getName());
                refusals.append(": ")
                        .append(e.getMessage())
                        .append(", ")
                        .append(e.getCause())
                        .append("; ");
            }
        }
        turnedAway.add(refusals.toString());
    }

    void assertNeverTurnedAwayTwice() {
        assertThat(visits.get()).isPositive();
        assertThat(turnedAway).isEmpty();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
