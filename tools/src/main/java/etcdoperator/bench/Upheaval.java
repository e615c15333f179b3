package etcdoperator.bench;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/** A cluster under writes is scaled, and loses pods, a disk and a node: how long until it is whole, and how long silent. */
final class Upheaval implements AutoCloseable {
    private static final String NAME = "c00";
    private static final double ETCDS_OWN_SECONDS = 6;
    private static final double DISK_SECONDS = 15;
    private static final double LEADER_MOVED_SECONDS = 0.1;
    private static final double LEADER_DIED_SECONDS = 2.2;
    private static final double ROLL_RATIO = 1.5;

    private static final String PEER = "etcd.improbable.io/peer-name";
    private static final String MARKED =
            "{\"spec\": {\"podTemplate\": {\"metadata\": {\"annotations\": {\"bench\": \"%s\"}}}}}";
    /** As soon as may be: what is measured is not the user's patience. */
    private static final String IMPATIENT = "{\"spec\": {\"recovery\": {\"memberTimeout\": \"45s\"}}}";

    private static final Duration QUIET = Duration.ofSeconds(20);

    private final Bed bed;
    private final Results results;
    private final Faults faults;
    private final String namespace;
    private final Connections connections;
    private final Members members;
    private final Load load;
    private final Trials trials;

    private Upheaval(Bed bed, Results results, String namespace) {
        this.bed = bed;
        this.results = results;
        this.namespace = namespace;
        this.faults = new Faults(bed.client());
        this.connections = new Connections(bed.client(), namespace);
        this.members = new Members(connections);
        this.load = new Load(connections);
        this.trials = new Trials(results, members, load);
    }

    static Upheaval of(Bed bed, Results results) throws IOException, InterruptedException {
        String namespace = bed.newNamespace("upheaval");
        bed.apply(Subject.OPERATOR, namespace, 0, 1, 3);
        bed.client()
                .resources(EtcdCluster.class)
                .inNamespace(namespace)
                .withName(NAME)
                .patch(PatchContext.of(PatchType.JSON_MERGE), IMPATIENT);
        var upheaval = new Upheaval(bed, results, namespace);
        upheaval.members.awaitVoters(3, Set.of());
        return upheaval;
    }

    /** How long the writers are silent on this machine while nothing happens: less than that nobody can promise. */
    void nothing() throws InterruptedException {
        load.begin();
        Thread.sleep(QUIET);
        results.add(
                "steady.silence",
                "   longest silence while nothing happens (the machine itself)",
                "s",
                Trial.seconds(load.longestSilence()));
    }

    /** Up and down by turns; before each way down the leader is made the one that leaves first. */
    void scaling() throws IOException, InterruptedException {
        List<Trial> up = new ArrayList<>();
        List<Trial> down = new ArrayList<>();
        List<Trial> starts = new ArrayList<>();
        for (int run = 1; run <= Trials.RUNS; run++) {
            load.begin();
            starts.add(new Trial(podStart(run), Trial.seconds(load.longestSilence())));
            up.add(trials.measure("3 → 5", run, 5, () -> scale(5)));
            Thread.sleep(Trials.REST);
            members.lead(NAME + "-4");
            Thread.sleep(Trials.REST);
            down.add(trials.measure("5 → 3, the leader leaves", run, 3, () -> scale(3)));
            Thread.sleep(Trials.REST);
        }
        double start = Trial.median(starts);
        trials.add(
                "scale-up", "f  3 → 5 under writes, five voters", up, OptionalDouble.of(2 * start + ETCDS_OWN_SECONDS));
        trials.addSilence("scale-up", up, OptionalDouble.of(LEADER_MOVED_SECONDS));
        results.add("pod-start", "   one pod's start beside it (plain StatefulSet of one)", "s", start);
        trials.addSilence("pod-start", starts, OptionalDouble.empty());
        trials.add("scale-down", "g  5 → 3 under writes, three voters", down, OptionalDouble.empty());
        trials.addSilence("scale-down", down, OptionalDouble.of(LEADER_MOVED_SECONDS));
    }

    void podKill() throws IOException, InterruptedException {
        List<Trial> runs = trials.repeat("leader's pod killed", () -> {
            faults.kill(List.of(members.pod(members.leader())));
            return Set.of();
        });
        trials.add("pod-kill", "h  the leader's pod killed, three healthy again", runs, OptionalDouble.empty());
        trials.addSilence("pod-kill", runs, OptionalDouble.of(LEADER_DIED_SECONDS));
    }

    void allPodsKilled() throws IOException, InterruptedException {
        List<Trial> runs = trials.repeat("all pods killed", () -> {
            faults.kill(members.pods());
            return Set.of();
        });
        trials.add("all-pods-kill", "i  all pods killed at once, three healthy again", runs, OptionalDouble.empty());
        trials.addSilence("all-pods-kill", runs, OptionalDouble.empty());
    }

    void diskLoss() throws IOException, InterruptedException {
        List<Trial> runs = trials.repeat("leader's disk lost", () -> {
            String leader = members.leader();
            Set<Long> lost = Set.of(members.id(leader));
            faults.loseDisk(members.pod(leader), claimOf(leader));
            return lost;
        });
        trials.add("disk-loss", "j  the leader's disk lost, member replaced", runs, OptionalDouble.of(DISK_SECONDS));
        trials.addSilence("disk-loss", runs, OptionalDouble.of(LEADER_DIED_SECONDS));
    }

    /** A node away from the operator: what is measured is not how Kubernetes moves that. */
    void nodeKill(OperatorProcess operator) throws IOException, InterruptedException {
        List<Trial> runs = new ArrayList<>();
        for (int run = 1; run <= Trials.RUNS; run++) {
            String home = operator.node();
            String victim = members.pods().stream()
                    .filter(pod -> !home.equals(pod.getSpec().getNodeName()))
                    .map(pod -> pod.getMetadata().getLabels().get(PEER))
                    .findFirst()
                    .orElseThrow();
            String node = members.pod(victim).getSpec().getNodeName();
            members.lead(victim);
            Thread.sleep(Trials.REST);
            try {
                runs.add(trials.measure("leader's node killed", run, 3, () -> {
                    Set<Long> lost = Set.of(members.id(victim));
                    faults.testbed("kill", node);
                    return lost;
                }));
            } finally {
                faults.testbed("revive", node);
            }
            spread();
        }
        trials.add("node-kill", "k  the leader's node killed, member replaced elsewhere", runs, OptionalDouble.empty());
        trials.addSilence("node-kill", runs, OptionalDouble.of(LEADER_DIED_SECONDS));
    }

    /** Another annotation of the pods, beside what a deleted follower needs to come back. */
    void roll() throws IOException, InterruptedException {
        List<Trial> restarts = trials.repeat("one pod restarted", () -> {
            String leader = members.leader();
            Pod follower = members.pods().stream()
                    .filter(pod -> !leader.equals(pod.getMetadata().getLabels().get(PEER)))
                    .findFirst()
                    .orElseThrow();
            bed.client().resource(follower).delete();
            awaitPods(pod ->
                    !pod.getMetadata().getUid().equals(follower.getMetadata().getUid()));
            return Set.of();
        });
        List<Trial> rolls = trials.repeat("three members rolled", () -> {
            String mark = Long.toString(System.nanoTime());
            bed.client()
                    .resources(EtcdCluster.class)
                    .inNamespace(namespace)
                    .withName(NAME)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), MARKED.formatted(mark));
            awaitPods(pod -> mark.equals(pod.getMetadata().getAnnotations().get("bench")));
            return Set.of();
        });
        double restart = Trial.median(restarts);
        results.add("pod-restart", "   one pod's restart beside it", "s", restart);
        results.add(
                "roll.ratio",
                "l  roll of three members / three restarts of one pod",
                "",
                Trial.median(rolls) / (3 * restart),
                OptionalDouble.of(ROLL_RATIO),
                "%.2f s".formatted(Trial.median(rolls)));
        trials.addSilence("roll", rolls, OptionalDouble.of(LEADER_MOVED_SECONDS));
    }

    private void awaitPods(Predicate<Pod> each) throws InterruptedException {
        Poll.until("the pods", Duration.ofMillis(20), () -> {
            List<Pod> pods = members.pods();
            return pods.size() == 3
                    && pods.stream().allMatch(each)
                    && pods.stream().allMatch(pod -> pod.getMetadata().getDeletionTimestamp() == null);
        });
    }

    /** With a node away two members shared one, and stay there: the next node to be killed must not have a quorum. */
    private void spread() throws IOException, InterruptedException {
        Set<String> taken = new HashSet<>();
        List<Pod> crowded = members.pods().stream()
                .filter(pod -> !taken.add(pod.getSpec().getNodeName()))
                .toList();
        faults.kill(crowded);
        members.awaitVoters(3, Set.of());
        Thread.sleep(Trials.REST);
    }

    @Override
    public void close() {
        load.close();
        connections.close();
        try {
            bed.remove(namespace);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Set<Long> scale(int size) {
        bed.client()
                .resources(EtcdCluster.class)
                .inNamespace(namespace)
                .withName(NAME)
                .scale(size);
        return Set.of();
    }

    /** The volume, the pod and etcd, as the machine does it under the same load and without the operator. */
    private double podStart(int run) throws IOException, InterruptedException {
        String other = bed.newNamespace("pod");
        try (var onlooker = new Onlooker(bed.client(), other, 1)) {
            onlooker.marks().begin();
            bed.apply(Subject.PLAIN, other, run, 1, 1);
            return Trial.seconds(onlooker.marks().await(Milestone.HEALTHY));
        } finally {
            bed.remove(other);
        }
    }

    private String claimOf(String peer) {
        return bed.client()
                .resources(EtcdPeer.class)
                .inNamespace(namespace)
                .withName(peer)
                .get()
                .getSpec()
                .claimName();
    }
}
