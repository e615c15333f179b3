package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.ClusterId;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Reconfiguration;
import etcdoperator.simulation.kube.FakeNodes;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.trouble.Troubles;
import etcdoperator.simulation.world.Inventory;
import etcdoperator.simulation.world.Operators;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.EnumSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A history of three members that recover by themselves, of which somebody takes the disks away one after the other. */
final class TwoDisks {
    private static final int WRITES = 20;

    private final Dice dice;
    private final World world;
    private final Rules rules;
    private final Calm calm;
    private final SimulatedOperator operator;

    TwoDisks(long seed) {
        this.dice = new Dice(seed);
        this.world = new World(dice);
        this.rules = Rules.watch(world, EnumSet.allOf(Invariant.class));
        this.calm = new Calm(world, rules, dice);
        this.operator = new SimulatedOperator("operator", world, Sabotage.NONE, () -> {});
        world.createCluster(3);
        calm.settle(operator);
        for (int value = 1; value <= WRITES; value++) {
            world.etcd().write(cluster(), value);
        }
    }

    /** Whether the world of this seed recovers by itself, soon, and without TLS. */
    static boolean fits(long seed) {
        World world = new World(new Dice(seed));
        return !world.isSecured()
                && world.recoversByItself()
                && world.grace().equals(Duration.ofSeconds(10))
                && world.replacesSoon();
    }

    World world() {
        return world;
    }

    Rules rules() {
        return rules;
    }

    /** As {@code kubectl delete pvc --wait=false} does, and {@code kubectl delete pod --grace-period=0 --force} after it. */
    void lose(String peer) {
        PersistentVolumeClaim claim = claims(peer).findFirst().orElseThrow();
        world.controllers().delete(claim);
        world.server().list(Pod.class).stream()
                .filter(pod -> Objects.uses(pod, claim))
                .forEach(world.server()::remove);
    }

    void goOnUntil(BooleanSupplier moment) {
        calm.goOn(operator, moment);
        assertThat(moment.getAsBoolean()).withFailMessage(this::trace).isTrue();
    }

    /** Until nothing moves any more, whatever is reached by then. */
    void rest() {
        calm.settle(operator);
    }

    /** The verdict is the one that random histories get. */
    void isWhole() {
        calm.settle(operator);
        var operators = new Operators(world, dice, Sabotage.NONE, () -> {});
        new Verdict(world, rules, new Troubles(world, dice, operators)).check();
        assertThat(world.cluster().orElseThrow().getStatus().readyReplicas())
                .withFailMessage(this::trace)
                .isEqualTo(3);
    }

    boolean isLearning() {
        return dataOn("c-2").members().stream().anyMatch(ListedMember::learner);
    }

    /** Of the member that this peer has now. */
    MemberData dataOn(String peer) {
        return claims(peer)
                .flatMap(claim -> world.nodes().volume(claim).data().stream())
                .findFirst()
                .orElseThrow();
    }

    /** Those that are not being deleted. */
    Stream<PersistentVolumeClaim> claims(String peer) {
        return world.claims().stream()
                .filter(claim -> peer.equals(claim.getMetadata().getLabels().get(Labels.PEER)))
                .filter(claim -> !Objects.isDeleting(claim));
    }

    void promoteByHand() throws EtcdException {
        EtcdProcess leader = world.leaders().findFirst().orElseThrow();
        MemberData learner = dataOn("c-0");
        for (int i = 0;
                i < 100
                        && world.etcd().matched(leader, learner.self())
                                < leader.data().lastIndex();
                i++) {
            world.etcd().tick();
        }
        new Reconfiguration(world.etcd(), leader).promote(learner.self());
    }

    /** It starts again, and lets no client in before it has met a quorum. */
    void kill(String peer) {
        claims(peer)
                .flatMap(claim -> world.nodes().volume(claim).user().stream())
                .forEach(EtcdProcess::kill);
    }

    boolean isAlone(String peer) {
        return world.server().list(Pod.class).stream()
                        .filter(pod -> node(peer).equals(pod.getSpec().getNodeName()))
                        .count()
                == 1;
    }

    void cutOff(String peer) {
        world.nodes().set(node(peer), FakeNodes.State.CUT_OFF);
    }

    void everyNodeComesBack() {
        world.nodes().states().keySet().forEach(node -> world.nodes().set(node, FakeNodes.State.UP));
    }

    private String node(String peer) {
        PersistentVolumeClaim claim = claims(peer).findFirst().orElseThrow();
        return world.server().list(Pod.class).stream()
                .filter(pod -> Objects.uses(pod, claim))
                .map(pod -> pod.getSpec().getNodeName())
                .findFirst()
                .orElseThrow();
    }

    ClusterId cluster() {
        return ClusterId.parse(world.cluster().orElseThrow().getStatus().clusterId());
    }

    private String trace() {
        return world.trace().text() + "\n" + new Inventory(world).text();
    }
}
