package etcdoperator.exploration;

import etcdoperator.domain.ClusterId;
import etcdoperator.exploration.Ending.Kind;
import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.kube.Wire;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.Setting;
import etcdoperator.simulation.world.SimulatedOperator;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A world and its operator in the middle of a run. Everything happens in one fixed order: in each second the world goes
 * on, the operator hears of it, and each pass that is due then is a step of its own.
 */
final class Scene {
    static final Duration SECOND = Duration.ofSeconds(1);

    private static final int ROUNDS_OF_A_PAUSE = 10;
    private static final Duration RESTART = Duration.ofSeconds(3);

    /** After so many seconds in which no object changed, time passes faster. */
    private static final int QUIET = 4;

    private static final int AT_REST = 13;

    private final Setting setting;
    private final Sabotage sabotage;
    private final World world;
    private final Rules rules;
    private final List<Ending> endings = new ArrayList<>();
    private final Deque<String> due = new ArrayDeque<>();
    private SimulatedOperator operator;
    private @Nullable Fault interruption;
    private int operators = 1;
    private int writes;
    private int steps;
    private int quiet;
    private long version;

    Scene(Setting setting, Sabotage sabotage) {
        this.setting = setting;
        this.sabotage = sabotage;
        this.world = new World(setting, new FixedOrder());
        this.rules = Rules.watch(world, EnumSet.allOf(Invariant.class));
        this.operator = start();
    }

    /** The same in every respect, and independent of this one. */
    Scene fork() {
        var twin = new Scene(setting, sabotage);
        Copier.copy(this, twin);
        return twin;
    }

    World world() {
        return world;
    }

    Rules rules() {
        return rules;
    }

    SimulatedOperator operator() {
        return operator;
    }

    List<Ending> endings() {
        return endings;
    }

    /** The passes that are due and have not run yet. */
    Deque<String> due() {
        return due;
    }

    /** How many there were. */
    int steps() {
        return steps;
    }

    void countFromHere() {
        steps = 0;
    }

    /** Whether a second begins. */
    boolean isBetweenSeconds() {
        return due.isEmpty();
    }

    boolean isAtRest() {
        return quiet >= AT_REST && due.isEmpty() && endings.isEmpty();
    }

    /** What is wanted of the cluster, or befalls it, was changed: it has to come to rest again. */
    void disturb() {
        quiet = 0;
    }

    /** @return how many requests the operator has sent */
    int step() {
        steps++;
        if (due.isEmpty()) {
            worldGoesOn(true);
            return 0;
        }
        int before = operator.wire().requests();
        SimulatedOperator running = operator;
        running.run(due.removeFirst());
        rules.check();
        if (!running.isAlive()) {
            restartLater();
        }
        return running.wire().requests() - before;
    }

    /** One step, with a fault before the request of this number. */
    void step(Injection injection) {
        Fault fault = injection.fault();
        disturb();
        write();
        if (due.isEmpty() || !operator.isAlive()) {
            new Troublemaker(this).befall(fault);
            step();
            return;
        }
        interruption = fault;
        operator.wire().plan(onWire(fault), injection.request());
        step();
        if (interruption != null) {
            throw new IllegalStateException("there is no request " + injection.request() + " in this step");
        }
    }

    private Wire.Fault onWire(Fault fault) {
        return switch (fault.kind()) {
            case LOST_REQUEST -> planned(Wire.Fault.LOSE_REQUEST);
            case LOST_ANSWER -> planned(Wire.Fault.LOSE_ANSWER);
            case OPERATOR_CRASH -> planned(Wire.Fault.CRASH_BEFORE);
            default -> Wire.Fault.FREEZE;
        };
    }

    private Wire.Fault planned(Wire.Fault fault) {
        interruption = null;
        return fault;
    }

    /** In the middle of a pass. */
    private void interrupted() {
        Fault fault = java.util.Objects.requireNonNull(interruption);
        interruption = null;
        new Troublemaker(this).befall(fault);
    }

    /** The operator stands still, and the world goes on. */
    void pause() {
        for (int i = 0; i < ROUNDS_OF_A_PAUSE; i++) {
            worldGoesOn(false);
            rules.check();
        }
    }

    void crash() {
        if (operator.isAlive()) {
            world.trace().note(operator + " is killed");
            operator.stop();
            due.clear();
            restartLater();
        }
    }

    private void restartLater() {
        due.clear();
        if (endings.stream().noneMatch(ending -> ending.kind() == Kind.OPERATOR_STARTS)) {
            endsIn(RESTART, Kind.OPERATOR_STARTS, "");
        }
    }

    void endsIn(Duration time, Kind kind, String what) {
        endings.add(new Ending(world.clock().instant().plus(time), kind, what));
    }

    void restart() {
        operators++;
        operator = start();
        world.trace().note(operator + " starts");
    }

    private SimulatedOperator start() {
        return new SimulatedOperator("operator-" + operators, world, sabotage, this::interrupted);
    }

    private void worldGoesOn(boolean withOperator) {
        boolean changed = world.server().version() != version;
        quiet = changed ? 0 : quiet + 1;
        version = world.server().version();
        timePasses();
        for (Ending ending : List.copyOf(endings)) {
            if (!ending.at().isAfter(world.clock().instant())) {
                endings.remove(ending);
                new Troublemaker(this).end(ending);
                disturb();
            }
        }
        if (quiet == 0) {
            write();
        }
        if (!world.server().isFrozen()) {
            world.controllers().pending().forEach(Runnable::run);
            world.nodes().pending().forEach(Runnable::run);
            world.agents().pending().forEach(Runnable::run);
        }
        world.etcd().goOn();
        if (withOperator && operator.isAlive()) {
            hear();
            due.addAll(operator.dueNow());
        }
        rules.check();
    }

    private void timePasses() {
        Duration time = quiet >= QUIET ? SECOND.multipliedBy(7) : SECOND;
        Instant now = world.clock().instant();
        Optional<Instant> next = endings.stream().map(Ending::at).min(Instant::compareTo);
        Duration most = next.map(at -> Duration.between(now, at)).orElse(time);
        world.clock().advance(most.compareTo(time) < 0 ? most : time);
    }

    private void hear() {
        if (!world.server().isFrozen()) {
            for (Watches watches : operator.watches()) {
                List<Class<? extends HasMetadata>> kinds = watches.deliverable();
                while (!kinds.isEmpty()) {
                    kinds.forEach(watches::deliver);
                    kinds = watches.deliverable();
                }
            }
        }
        operator.probes().targets().forEach(operator.probes()::ask);
    }

    /** A client of each cluster there is. */
    void write() {
        List<ClusterId> ids = world.etcd().running().stream()
                .map(process -> process.data().clusterId())
                .distinct()
                .toList();
        for (ClusterId id : ids) {
            world.etcd().write(id, ++writes);
        }
    }
}
