package etcdoperator.simulation;

import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Good times: everything that can happen happens, in fair turns. */
final class Calm {
    private static final int ROUNDS_TO_SETTLE = 400;
    private static final int QUIET_ROUNDS = 12;

    private final World world;
    private final Rules rules;
    private final Dice dice;

    Calm(World world, Rules rules, Dice dice) {
        this.world = world;
        this.rules = rules;
        this.dice = dice;
    }

    /** Until nothing changes any more. */
    void settle(SimulatedOperator operator) {
        world.trace().note("— calm —");
        if (!goOn(operator, () -> false)) {
            rules.broken(Invariant.IT_SETTLES, "objects change without end");
        }
        world.trace().note("— end of calm —");
    }

    /** Until it is enough, or nothing changes any more. @return whether nothing does */
    boolean goOn(SimulatedOperator operator, BooleanSupplier enough) {
        int quiet = 0;
        for (int round = 0; round < ROUNDS_TO_SETTLE && quiet < QUIET_ROUNDS && !enough.getAsBoolean(); round++) {
            long before = world.server().version();
            worldGoesOn();
            if (quiet > 3) {
                // For what only time brings.
                world.clock().advance(Duration.ofSeconds(6));
            }
            hear(operator);
            operator.dueNow().forEach(operator::run);
            rules.check();
            quiet = world.server().version() == before ? quiet + 1 : 0;
        }
        return quiet >= QUIET_ROUNDS;
    }

    void worldGoesOn() {
        world.clock().advance(Duration.ofSeconds(1));
        world.controllers().pending().forEach(Runnable::run);
        world.nodes().pending().forEach(Runnable::run);
        world.agents().pending().forEach(Runnable::run);
        for (int i = 0; i < 12; i++) {
            world.etcd().tick();
        }
    }

    /** All the news there is, and an answer from everybody. */
    static void hear(SimulatedOperator operator) {
        for (Watches watches : operator.watches()) {
            List<Class<? extends HasMetadata>> kinds = watches.deliverable();
            while (!kinds.isEmpty()) {
                kinds.forEach(watches::deliver);
                kinds = watches.deliverable();
            }
        }
        operator.probes().targets().forEach(operator.probes()::ask);
    }
}
