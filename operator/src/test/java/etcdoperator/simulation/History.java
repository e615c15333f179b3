package etcdoperator.simulation;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.api.OperationType;
import etcdoperator.domain.ClusterId;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.trouble.Troubles;
import etcdoperator.simulation.world.Inventory;
import etcdoperator.simulation.world.Operators;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One run of everything from one seed: a beginning, troubles, and a calm end in which all must come to rest. */
final class History {
    private static final int EVENTS = 110;

    /** Long enough for everything that is said only after a while. */
    private static final Duration LATER = Duration.ofMinutes(10);

    private static final Duration MOMENT = Duration.ofSeconds(3);

    /** Most of them when the cluster lies down already, and there is least time to be heard. */
    private static final List<RestoreStage> STAGES_TO_COME_BACK_IN = List.of(
            RestoreStage.LYING_DOWN,
            RestoreStage.FILLING,
            RestoreStage.FILLING,
            RestoreStage.CONFIRMING,
            RestoreStage.CONFIRMING);

    private final Dice dice;
    private final World world;
    private final Rules rules;
    private final Operators operators;
    private final Troubles troubles;
    private final Calm calm;
    private int writes;

    History(long seed, Sabotage sabotage, Set<Invariant> watched) {
        this.dice = new Dice(seed);
        this.world = new World(dice);
        this.rules = Rules.watch(world, watched);
        this.operators = new Operators(world, dice, sabotage, this::worldGoesOn);
        this.troubles = new Troubles(world, dice, operators);
        this.calm = new Calm(world, rules, dice);
    }

    void run() {
        world.createCluster(dice.pick(world.isDisastrous() ? List.of(1, 3, 3, 5) : List.of(1, 2, 3, 3, 3, 3, 3, 5))
                .orElseThrow());
        operators.startFirst();
        if (!dice.oneIn(3)) {
            calm.settle(operators.first());
        } else if (dice.oneIn(2)) {
            operators.fault();
        }
        if (world.isDisastrous() && world.recoversByItself() && dice.oneIn(3)) {
            mostAreBackAfterAll();
        }
        int phases = 1 + dice.below(2);
        for (int phase = 0; phase < phases; phase++) {
            trouble();
        }
        if (dice.oneIn(3)) {
            restIsFree();
        }
    }

    /** Nodes that were said to be gone, or only silent, come back: while a recovery is under way, maybe with nobody to see it. */
    private void mostAreBackAfterAll() {
        operators.calm();
        calm.settle(operators.first());
        boolean silent = dice.oneIn(3);
        troubles.mostAreGone(silent);
        calm.goOn(
                operators.first(),
                silent ? () -> false : dice.oneIn(4) ? this::isAboutToBeRecovered : aMomentOfRecovery());
        Calm.hear(operators.first());
        dice.pick(operators.first().dueNow()).ifPresent(operators.first()::run);
        if (!dice.oneIn(3)) {
            operators.crash();
            world.clock().advance(Duration.ofMillis(dice.below(30_000)));
        }
        troubles.everyNodeComesBack();
        operators.start();
        int events = dice.below(60);
        for (int i = 0; i < events; i++) {
            undisturbed();
            rules.check();
        }
        if (dice.oneIn(2)) {
            operators.calm();
            calm.settle(operators.first());
            new Verdict(world, rules, troubles).check();
        }
    }

    private BooleanSupplier aMomentOfRecovery() {
        RestoreStage stage = dice.pick(STAGES_TO_COME_BACK_IN).orElseThrow();
        return () -> isBeingRecovered(stage) && (stage == RestoreStage.CONFIRMING || dice.oneIn(3));
    }

    /** What pods have said by then, they may not say again before it begins. */
    private boolean isAboutToBeRecovered() {
        return world.cluster()
                .flatMap(cluster -> Optional.ofNullable(cluster.getStatus()))
                .flatMap(status -> Optional.ofNullable(status.operation()))
                .filter(operation -> operation.type() == OperationType.RECOVER)
                .filter(operation -> !operation
                        .startedAt()
                        .plus(world.grace())
                        .minus(MOMENT)
                        .isAfter(world.clock().instant()))
                .isPresent();
    }

    private boolean isBeingRecovered(RestoreStage stage) {
        return world.server().list(EtcdRestore.class).stream()
                .anyMatch(restore ->
                        restore.getStatus() != null && restore.getStatus().stage() == stage);
    }

    private void trouble() {
        world.agents().beClumsy(true);
        for (int i = 0; i < EVENTS; i++) {
            event();
            rules.check();
        }
        troubles.end();
        operators.calm();
        world.agents().beClumsy(false);
        calm.settle(operators.first());
        new Verdict(world, rules, troubles).check();
        if (troubles.somebodyChooses()) {
            calm.settle(operators.first());
            new Verdict(world, rules, troubles).check();
        }
        if (troubles.everyNodeComesBack()) {
            calm.settle(operators.first());
            new Verdict(world, rules, troubles).check();
        }
    }

    /** How many clusters were brought back that had lost most voters. */
    int recoveries() {
        return rules.recovery().count();
    }

    String trace() {
        return world.trace().text() + "\n" + new Inventory(world).text();
    }

    /** One thing happens, out of all that could. */
    private void event() {
        timePasses();
        if (dice.below(100) < 9) {
            troubles.happen();
        } else {
            goOn();
        }
    }

    private void undisturbed() {
        timePasses();
        goOn();
    }

    private void timePasses() {
        world.clock().advance(Duration.ofMillis(dice.oneIn(20) ? dice.below(30_000) : dice.below(300)));
    }

    private void goOn() {
        if (dice.below(91) < 56) {
            operators.act();
        } else {
            worldActs();
        }
    }

    private void worldActs() {
        switch (dice.below(4)) {
            case 0 -> etcdGoesOn(3);
            case 1 -> write();
            default -> {
                List<Runnable> work = new ArrayList<>(world.controllers().pending());
                work.addAll(world.nodes().pending());
                work.addAll(world.agents().pending());
                dice.pick(work).ifPresent(Runnable::run);
            }
        }
    }

    private void etcdGoesOn(int ticks) {
        for (int i = 0; i < ticks; i++) {
            world.etcd().tick();
        }
    }

    private void write() {
        List<ClusterId> ids = world.etcd().running().stream()
                .map(process -> process.data().clusterId())
                .distinct()
                .toList();
        dice.pick(ids).ifPresent(id -> {
            int value = ++writes;
            boolean acknowledged = world.etcd().write(id, value);
            world.trace().note("write " + value + (acknowledged ? " is acknowledged" : " is not acknowledged"));
        });
    }

    /** While an operator stands still in the middle of a pass. */
    private void worldGoesOn() {
        int events = dice.below(40);
        for (int i = 0; i < events; i++) {
            event();
        }
    }

    private void restIsFree() {
        passOverEverythingAfter(LATER);
        calm.settle(operators.first()); // time alone may have brought something to do
        int before = operators.first().wire().writes();
        passOverEverythingAfter(Duration.ofSeconds(10));
        int requests = operators.first().wire().writes() - before;
        if (requests > 0) {
            rules.broken(Invariant.REST_IS_FREE, requests + " writes in one pass");
        }
    }

    private void passOverEverythingAfter(Duration time) {
        SimulatedOperator operator = operators.first();
        world.clock().advance(time);
        Calm.hear(operator);
        operator.runAll();
    }
}
