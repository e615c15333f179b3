package etcdoperator.e2e.soak;

import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.RecoverySpec;
import etcdoperator.e2e.fixture.Disk;
import etcdoperator.e2e.fixture.HostProcess;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A cluster under load, and the faults that concern it alone. */
final class SoakCluster implements AutoCloseable {
    static final int SIZE = 3;
    private static final int LARGER = 5;
    private static final List<String> VERSIONS = List.of(TestCluster.VERSION, "3.7.3");

    private final TestCluster cluster;
    private final Path journal;
    private final Registers registers;
    private final Writers writers;
    private final Random random;
    private int rollouts;
    private int version;

    /** @param happens returns when the fault has ended */
    private record Fault(String name, Runnable happens) {}

    /** What takes data: never two of them before the cluster is well again, or acknowledged writes may be gone. */
    private final List<Fault> losses = List.of(
            new Fault("a disk is emptied", () -> Disk.lose(cluster(), List.of(peer()))),
            new Fault("a claim is deleted", () -> Disk.loseWithClaims(cluster(), List.of(peer()))));

    private final List<Fault> others = List.of(
            new Fault("one process is killed", () -> kill(1)),
            new Fault("two processes are killed", () -> kill(2)),
            new Fault("all processes are killed", () -> kill(LARGER)),
            new Fault("one pod is deleted", () -> delete(1)),
            new Fault("all pods are deleted", () -> delete(LARGER)),
            new Fault("a process hangs for a while", this::hang),
            new Fault("the leader changes", () -> cluster().lead(peer())),
            new Fault("the cluster becomes larger and smaller", this::resize),
            new Fault("the members restart one by one", this::rollOut),
            new Fault("the version changes", this::changeVersion));

    SoakCluster(TestNamespace namespace, String name, long seed) {
        this.random = new Random(seed);
        this.cluster = namespace
                .cluster(name, TestCluster.members(SIZE).withRecovery(RecoverySpec.ofMemberTimeout("10s")))
                .create()
                .awaitHealthy();
        this.journal = Testbed.projectFile("target/soak/%s-%d.ndjson".formatted(name, seed));
        this.registers = Registers.start(cluster, journal, seed);
        this.writers = Writers.start(cluster);
    }

    private TestCluster cluster() {
        return cluster;
    }

    Registers registers() {
        return registers;
    }

    /** One fault, or two of them within seconds. @return their names */
    List<String> disturb() {
        boolean twice = random.nextInt(3) == 0;
        List<String> happened = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            happen(oneOf(losses), happened);
        } else {
            happen(oneOf(others), happened);
        }
        if (twice) {
            pause(Duration.ofMillis(random.nextInt(4000)));
            happen(oneOf(others), happened);
        }
        return happened;
    }

    private static void happen(Fault fault, List<String> happened) {
        try {
            fault.happens().run();
            happened.add(fault.name());
        } catch (NoSuchElementException | IllegalStateException e) {
            // After another fault there may be no process left to kill.
            happened.add(fault.name() + " (in part)");
        }
    }

    /** Waits until all members are well. @return how long after the end of the faults that was; more than the limit fails */
    Duration awaitWell(Instant faultsEnded, Duration limit) {
        cluster.awaitSizeOfAnyNames(SIZE);
        writers.awaitMore(20);
        Duration took = Duration.between(faultsEnded, Instant.now());
        assertThat(took)
                .as("time until %s was well after a fault: %s", cluster.name(), cluster.conditions())
                .isLessThan(limit);
        return took;
    }

    /** Ends the clients; nothing that was acknowledged may be missing, and some order must explain what they saw. */
    void judge() {
        registers.close();
        writers.stop();
        writers.assertNothingLost();
        System.out.print("soak: " + cluster.name() + " "
                + Testbed.run(Testbed.tool("linearizable").toString(), journal.toString(), journal + ".html"));
    }

    @Override
    public void close() {
        registers.close();
        writers.close();
    }

    private void kill(int count) {
        some(count).stream().map(HostProcess::of).toList().forEach(HostProcess::kill);
    }

    private void delete(int count) {
        some(count).forEach(pod -> KUBE.resource(pod).withGracePeriod(0).delete());
    }

    private void hang() {
        HostProcess process = HostProcess.of(some(1).getFirst());
        process.freeze();
        pause(Duration.ofSeconds(5 + random.nextInt(15)));
        process.thaw();
    }

    private void resize() {
        cluster.scale(LARGER);
        pause(Duration.ofMillis(random.nextInt(12_000)));
        cluster.scale(SIZE);
    }

    private void rollOut() {
        cluster.change(Map.of(
                "podTemplate",
                Map.of("metadata", Map.of("annotations", Map.of("rollout", Integer.toString(++rollouts))))));
    }

    private void changeVersion() {
        version = 1 - version;
        cluster.change(Map.of("version", VERSIONS.get(version)));
    }

    private List<Pod> some(int count) {
        List<Pod> pods = new ArrayList<>(cluster.pods());
        Collections.shuffle(pods, random);
        return pods.subList(0, Math.min(count, pods.size()));
    }

    private String peer() {
        return cluster.peers()
                .get(random.nextInt(cluster.peers().size()))
                .getMetadata()
                .getName();
    }

    private Fault oneOf(List<Fault> faults) {
        return faults.get(random.nextInt(faults.size()));
    }

    static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
