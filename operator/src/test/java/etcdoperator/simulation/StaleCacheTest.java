package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.EtcdPeer;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.RecordRules;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Histories too unlikely to wait for: an operator that should be gone acts on what it saw long ago. */
class StaleCacheTest {
    private static final String CLUSTER = "cluster";

    private final Dice dice = new Dice(1);
    private final World world = new World(dice);
    private final Calm calm = new Calm(world, Rules.watch(world, EnumSet.allOf(Invariant.class)), dice);

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    /** It knows the claims as they were before anybody joined, and the cluster as it was made anew since. */
    @Test
    void whoMissedThatMembersJoinedFoundsNothing() {
        world.createCluster(3);
        SimulatedOperator current = operator("current");
        current.run(CLUSTER);
        SimulatedOperator stale = operator("stale");
        stale.cache().stall(PersistentVolumeClaim.class);
        calm.settle(current);

        world.controllers().delete(world.cluster().orElseThrow());
        while (!world.server().list(Pod.class).isEmpty()) {
            calm.worldGoesOn();
        }
        world.createCluster(3);
        Calm.hear(stale);
        stale.run(CLUSTER);

        assertThat(world.server().list(EtcdPeer.class)).noneMatch(RecordRules::founds);
        calm.settle(current);
        assertThat(world.cluster().orElseThrow().getStatus().readyReplicas()).isEqualTo(3);
    }

    private SimulatedOperator operator(String name) {
        return new SimulatedOperator(name, world, Sabotage.NONE, () -> {});
    }
}
