package etcdoperator.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;

/** What the operator costs when nothing happens: memory, CPU and API requests, with one cluster and with fifty. */
final class Idle {
    private static final Duration UNTIL_QUIET = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofSeconds(60);
    private static final int MANY = 50;

    /** Watches end every few minutes, by the API server's will, and are begun again. */
    private static final double NEAR_NONE = 2;

    private final Bed bed;
    private final OperatorProcess operator;
    private final AuditLog audit;
    private final Results results;
    private final boolean footprint;
    private final boolean requests;

    Idle(Bed bed, OperatorProcess operator, AuditLog audit, Results results, boolean footprint, boolean requests) {
        this.bed = bed;
        this.operator = operator;
        this.audit = audit;
        this.results = results;
        this.footprint = footprint;
        this.requests = requests;
    }

    void oneAndMany() throws IOException, InterruptedException {
        // Afresh: a heap that has grown in earlier trials stays grown.
        operator.restart();
        String namespace = bed.newNamespace("idle");
        try {
            grow(namespace, 0, 1);
            measure(1);
            grow(namespace, 1, MANY);
            measure(MANY);
        } finally {
            bed.remove(namespace);
        }
    }

    private void grow(String namespace, int from, int to) throws IOException, InterruptedException {
        try (var onlooker = new Onlooker(bed.client(), namespace, to)) {
            bed.apply(Subject.OPERATOR, namespace, from, to - from, 1);
            onlooker.marks().await(Milestone.REPORTED);
        }
        System.err.printf("  %d up; the quiet minute begins in %d s%n", to, UNTIL_QUIET.toSeconds());
        Thread.sleep(UNTIL_QUIET);
    }

    private void measure(int clusters) throws IOException, InterruptedException {
        Path process = operator.find();
        Instant begin = Instant.now();
        Duration before = OperatorProcess.cpuOf(process);
        Thread.sleep(WINDOW);
        Duration used = OperatorProcess.cpuOf(process).minus(before);
        double rss = OperatorProcess.rssMegabytesOf(process);
        Map<String, Integer> asked = audit.requests(begin, Instant.now());
        String with = " with " + clusters + (clusters == 1 ? " cluster" : " clusters");
        if (footprint) {
            results.add("idle-" + clusters + ".rss", "d  RSS" + with, "MB", rss);
            results.add("idle-" + clusters + ".cpu", "   CPU a quiet minute" + with, "s", used.toMillis() / 1e3);
        }
        if (requests) {
            int sum = asked.values().stream().mapToInt(Integer::intValue).sum();
            results.add(
                    "idle-" + clusters + ".requests",
                    "e  API requests a minute but for the lease," + with,
                    "",
                    sum,
                    OptionalDouble.of(NEAR_NONE),
                    sum == 0 ? "" : asked.toString());
        }
    }
}
