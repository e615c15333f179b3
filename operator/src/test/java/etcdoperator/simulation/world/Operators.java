package etcdoperator.simulation.world;

import etcdoperator.simulation.kube.Watches;
import etcdoperator.simulation.kube.Wire.Fault;
import etcdoperator.simulation.replay.Dice;
import java.util.ArrayList;
import java.util.List;

/** The operator, restarted whenever it dies, and at times a second one that does not know it should be gone. */
public final class Operators {
    private final World world;
    private final Dice dice;
    private final Sabotage sabotage;
    private final Runnable meanwhile;
    private final List<SimulatedOperator> running = new ArrayList<>();
    private boolean frozen;
    private int started;

    public Operators(World world, Dice dice, Sabotage sabotage, Runnable meanwhile) {
        this.world = world;
        this.dice = dice;
        this.sabotage = sabotage;
        this.meanwhile = () -> {
            frozen = true;
            meanwhile.run();
            frozen = false;
        };
    }

    public void startFirst() {
        start();
    }

    public SimulatedOperator first() {
        return running.getFirst();
    }

    /** One operator, freshly started or not, and nothing in its way. */
    public void calm() {
        running.removeIf(operator -> !operator.isAlive());
        if (running.isEmpty()) {
            start();
        }
        running.subList(1, running.size()).clear();
        first().wire().calm();
        first().watches().forEach(Watches::unstall);
    }

    /** One operator hears, asks, or runs a pass. A frozen one does nothing until its request is through. */
    public void act() {
        running.removeIf(operator -> !operator.isAlive());
        List<SimulatedOperator> able =
                running.stream().filter(operator -> !operator.isBusy()).toList();
        dice.pick(able).ifPresent(operator -> {
            switch (dice.below(6)) {
                case 0 -> dice.pick(operator.probes().targets()).ifPresent(operator.probes()::ask);
                case 1, 2, 3 -> hear(operator);
                case 4 -> dice.pick(operator.passes()).ifPresent(operator::run);
                default -> dice.pick(operator.dueNow()).ifPresent(operator::run);
            }
        });
    }

    /** News comes kind by kind, and much of one kind may come before any of another. */
    private void hear(SimulatedOperator operator) {
        List<Watches> withNews = operator.watches().stream()
                .filter(watches -> !watches.deliverable().isEmpty())
                .toList();
        dice.pick(withNews)
                .ifPresent(watches -> dice.pick(watches.deliverable()).ifPresent(kind -> {
                    int pieces = 1 + dice.below(4);
                    for (int i = 0; i < pieces && watches.behind().contains(kind); i++) {
                        watches.deliver(kind);
                    }
                }));
    }

    public void crash() {
        dice.pick(running).ifPresent(operator -> {
            world.trace().note(operator + " is killed");
            operator.stop();
        });
    }

    public void fault() {
        List<Fault> faults = List.of(Fault.values());
        Fault fault = dice.pick(faults).orElseThrow();
        if (fault != Fault.FREEZE || !frozen) {
            dice.pick(running).ifPresent(operator -> operator.wire().plan(fault, dice.below(12)));
        }
    }

    public void stallWatch() {
        dice.pick(running)
                .ifPresent(operator -> dice.pick(operator.watches())
                        .ifPresent(watches -> dice.pick(watches.kinds()).ifPresent(kind -> {
                            world.trace().note(operator + " hears nothing of " + kind.getSimpleName());
                            watches.stall(kind);
                        })));
    }

    public void unstallWatches() {
        running.forEach(operator -> operator.watches().forEach(Watches::unstall));
    }

    public void start() {
        if (running.stream().filter(SimulatedOperator::isAlive).count() < 2) {
            var operator = new SimulatedOperator("operator-" + ++started, world, sabotage, meanwhile);
            world.trace().note(operator + " starts");
            running.add(operator);
        }
    }
}
