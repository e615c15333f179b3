package etcdoperator.e2e;

import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static etcdoperator.e2e.fixture.Testbed.testbed;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.RecoverySpec;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.testrun.Acceptance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Random faults, one after another, for as long as {@code -Dsoak.duration=PT10M} says. {@code -Dsoak.seed} repeats
 * their order, not their moments.
 */
@Acceptance.Soak
@Isolated
class SoakIT {
    private static final Duration DURATION = Duration.parse(System.getProperty("soak.duration", "PT10M"));
    private static final long SEED = Long.getLong("soak.seed", System.nanoTime());
    private static final Duration FOR_A_WHILE = Duration.ofSeconds(20);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    private final Random random = new Random(SEED);
    private TestCluster cluster;

    /** What happens, and how it ends. */
    private record Fault(String name, Runnable happens) {}

    private final List<Fault> faults = List.of(
            new Fault("a process is killed", () -> process().kill()),
            new Fault("a process is frozen for a while", this::freeze),
            new Fault(
                    "a pod is deleted", () -> KUBE.resource(cluster.pod(peer())).delete()),
            new Fault("a disk is emptied", () -> Disk.lose(cluster, List.of(peer()))),
            new Fault("a claim is deleted", () -> Disk.loseWithClaims(cluster, List.of(peer()))),
            new Fault("the operator crashes", InstalledOperator.SHARED::crash),
            new Fault("the API server restarts", () -> testbed("restart-apiserver")),
            new Fault("a node loses its power", () -> onANode("kill", "revive")),
            new Fault("a node is cut off", () -> onANode("partition", "heal")),
            new Fault("the leader changes", () -> cluster.lead(peer())));

    @AfterEach
    void everyNodeIsWell() {
        Testbed.NODES.forEach(node -> testbed("revive", node));
        InstalledOperator.SHARED.start();
    }

    @Test
    void oneFaultAfterAnotherAndNothingIsLost() {
        System.out.printf("soak: %s of faults, -Dsoak.seed=%d%n", DURATION, SEED);
        cluster = namespace
                .cluster("soak", TestCluster.members(3).withRecovery(RecoverySpec.ofMemberTimeout("10s")))
                .create()
                .awaitHealthy();
        Instant end = Instant.now().plus(DURATION);
        int count = 0;
        try (Writers writers = Writers.start(cluster)) {
            while (Instant.now().isBefore(end)) {
                Fault fault = faults.get(random.nextInt(faults.size()));
                Instant begin = Instant.now();
                fault.happens().run();
                cluster.awaitSize(3);
                writers.awaitMore(20);
                System.out.printf(
                        "soak: %d, %s, well after %d s%n",
                        ++count,
                        fault.name(),
                        Duration.between(begin, Instant.now()).toSeconds());
            }
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(count).isPositive();
    }

    private void freeze() {
        HostProcess process = process();
        process.freeze();
        aWhile();
        process.thaw();
    }

    /** The one with the operator may be among them. */
    private void onANode(String fault, String repair) {
        String node = Testbed.NODES.get(random.nextInt(Testbed.NODES.size()));
        testbed(fault, node);
        aWhile();
        testbed(repair, node);
    }

    private HostProcess process() {
        return HostProcess.of(cluster.pod(peer()));
    }

    private String peer() {
        return cluster.peerNames().get(random.nextInt(cluster.peerNames().size()));
    }

    private static void aWhile() {
        Awaitility.await()
                .pollDelay(FOR_A_WHILE)
                .atMost(FOR_A_WHILE.multipliedBy(2))
                .until(() -> true);
    }
}
