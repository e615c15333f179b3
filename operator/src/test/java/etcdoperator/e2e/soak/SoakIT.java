package etcdoperator.e2e.soak;

import static etcdoperator.e2e.fixture.Testbed.testbed;

import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.testrun.Acceptance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Rounds of random faults on several clusters side by side, for as long as {@code -Dsoak.duration=PT10M} says. Every
 * cluster must be well again 120 s after the faults of a round have ended. {@code -Dsoak.seed} repeats the order of the
 * faults, not their moments. Each run that passes adds a line to {@code bench/soak.csv}.
 */
@Acceptance.Soak
@Isolated
class SoakIT {
    private static final Duration DURATION = Duration.parse(System.getProperty("soak.duration", "PT10M"));
    private static final long SEED = Long.getLong("soak.seed", System.currentTimeMillis() % 1_000_000);
    private static final int CLUSTERS = Integer.getInteger("soak.clusters", 2);
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration FOR_A_WHILE = Duration.ofSeconds(20);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private final Random random = new Random(SEED);
    private final List<SoakCluster> clusters = new ArrayList<>();
    private final List<Duration> recoveries = new ArrayList<>();
    private int faults;

    private record Fault(String name, Runnable happens) {}

    /** What concerns all clusters. The node of the operator may be among the nodes. */
    private final List<Fault> shared = List.of(
            new Fault("the operator crashes", InstalledOperator.SHARED::crash),
            new Fault("the API server restarts", () -> testbed("restart-apiserver")),
            new Fault("the API server hangs for a while", this::freezeApiServer),
            new Fault("a node loses its power", () -> onNodes(1, "kill", "revive")),
            new Fault("two nodes lose their power", () -> onNodes(2, "kill", "revive")),
            new Fault("all nodes lose their power", () -> onNodes(3, "kill", "revive")),
            new Fault("a node is cut off", () -> onNodes(1, "partition", "heal")));

    @AfterEach
    void everythingRunsAgain() {
        clusters.forEach(SoakCluster::close);
        Testbed.NODES.forEach(node -> testbed("revive", node));
        InstalledOperator.SHARED.start();
    }

    @Test
    void everyClusterComesBackAndNothingIsLost() throws IOException {
        System.out.printf("soak: %s of faults on %d clusters, -Dsoak.seed=%d%n", DURATION, CLUSTERS, SEED);
        IntStream.range(0, CLUSTERS)
                .forEach(number -> clusters.add(new SoakCluster(namespace, "soak-" + number, SEED + number)));
        Instant end = Instant.now().plus(DURATION);
        while (Instant.now().isBefore(end)) {
            List<String> happened = round();
            faults += happened.size();
            Instant ended = Instant.now();
            Duration longest = clusters.stream()
                    .map(cluster -> cluster.awaitWell(ended, LIMIT))
                    .max(Duration::compareTo)
                    .orElseThrow();
            recoveries.add(longest);
            System.out.printf("soak: %d, %s, well after %d s%n", faults, happened, longest.toSeconds());
        }
        clusters.forEach(SoakCluster::judge);
        record();
    }

    private List<String> round() {
        if (random.nextInt(4) == 0) {
            Fault fault = shared.get(random.nextInt(shared.size()));
            fault.happens().run();
            return List.of(fault.name());
        }
        return clusters.parallelStream()
                .flatMap(cluster -> cluster.disturb().stream())
                .toList();
    }

    private void freezeApiServer() {
        testbed("freeze-apiserver");
        SoakCluster.pause(FOR_A_WHILE);
        testbed("thaw-apiserver");
    }

    private void onNodes(int count, String fault, String repair) {
        List<String> nodes = new ArrayList<>(Testbed.NODES);
        Collections.shuffle(nodes, random);
        nodes.subList(0, count).forEach(node -> testbed(fault, node));
        SoakCluster.pause(FOR_A_WHILE);
        nodes.subList(0, count).forEach(node -> testbed(repair, node));
    }

    private void record() throws IOException {
        int operations = clusters.stream()
                .mapToInt(cluster -> cluster.registers().operations())
                .sum();
        int acknowledged = clusters.stream()
                .mapToInt(cluster -> cluster.registers().acknowledged())
                .sum();
        long silence = clusters.stream()
                .mapToLong(cluster -> cluster.registers().longestSilence().toSeconds())
                .max()
                .orElse(0);
        String line = "%s,%s,%d,%d,%d,%d,%d,%d,0,true,%d,%d%n"
                .formatted(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        Testbed.run("git", "describe", "--always", "--dirty").strip(),
                        SEED,
                        DURATION.toMinutes(),
                        CLUSTERS,
                        faults,
                        operations,
                        acknowledged,
                        recoveries.stream().mapToLong(Duration::toSeconds).max().orElse(0),
                        silence);
        Files.writeString(Path.of("bench/soak.csv"), line, StandardOpenOption.APPEND);
        System.out.print("soak: " + line);
    }
}
