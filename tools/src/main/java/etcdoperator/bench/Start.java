package etcdoperator.bench;

import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/**
 * From the start of the operator's process to its first reconcile, seen from outside: a Service that was deleted while
 * the operator was away is back.
 */
final class Start {
    private static final int RUNS = 3;
    private static final double TARGET_SECONDS = 2;

    private final Bed bed;
    private final OperatorProcess operator;
    private final Results results;

    Start(Bed bed, OperatorProcess operator, Results results) {
        this.bed = bed;
        this.operator = operator;
        this.results = results;
    }

    void firstReconcile() throws IOException, InterruptedException {
        String namespace = bed.newNamespace("start");
        try (var onlooker = new Onlooker(bed.client(), namespace, 1)) {
            bed.apply(Subject.OPERATOR, namespace, 0, 1, 1);
            onlooker.marks().await(Milestone.REPORTED);
            List<Duration> times = new ArrayList<>();
            List<Duration> cpu = new ArrayList<>();
            for (int run = 1; run <= RUNS; run++) {
                times.add(once(namespace, cpu));
                System.err.printf(
                        "  start, run %d of %d: %d ms%n",
                        run, RUNS, times.getLast().toMillis());
            }
            results.add(
                    "start.first-reconcile",
                    "b  operator's process started to first reconcile",
                    "s",
                    medianSeconds(times),
                    OptionalDouble.of(TARGET_SECONDS),
                    "");
            results.add("start.cpu", "   CPU used until then", "s", medianSeconds(cpu));
        } finally {
            bed.remove(namespace);
        }
    }

    private static double medianSeconds(List<Duration> times) {
        return times.stream().sorted().toList().get(times.size() / 2).toMillis() / 1e3;
    }

    private Duration once(String namespace, List<Duration> cpu) throws IOException, InterruptedException {
        operator.stop();
        var service = bed.client().services().inNamespace(namespace).withName("c00-client");
        service.delete();
        var back = new CompletableFuture<Instant>();
        try (Watch watch = service.watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, io.fabric8.kubernetes.api.model.Service object) {
                if (action == Action.ADDED) {
                    back.complete(Instant.now());
                }
            }

            @Override
            public void onClose(WatcherException cause) {
                back.completeExceptionally(cause);
            }
        })) {
            operator.start();
            Instant seen = back.join();
            Path process = operator.find();
            cpu.add(OperatorProcess.cpuOf(process));
            return Duration.between(OperatorProcess.startOf(process), seen);
        }
    }
}
