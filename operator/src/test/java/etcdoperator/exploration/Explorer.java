package etcdoperator.exploration;

import etcdoperator.simulation.rules.Violation;
import etcdoperator.simulation.world.Sabotage;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tries faults at boundaries. A run ends as soon as it comes to a state that an earlier run has come to: everything has
 * one fixed order, so that equal states have equal futures, and the earlier run is judged at its own end.
 */
final class Explorer {
    private final Sabotage sabotage;
    private final Known known;
    private final Tally tally;

    Explorer(Sabotage sabotage, Known known, Tally tally) {
        this.sabotage = sabotage;
        this.known = known;
        this.tally = tally;
    }

    /** A run that begins with a fault. The scene is that before the fault, and may be that of other runs, too. */
    record Branch(Scene scene, RunName name) {}

    /** The run without a fault. @param branches told of every run that one fault makes of it */
    void begin(Case begin, Consumer<Branch> branches) {
        Scene scene = begin.operation().begin(begin.members(), sabotage);
        scene.world().trace().silence();
        follow(scene, RunName.of(begin), Optional.of(branches), known.faults());
    }

    /** One run, and every run with as many more faults. */
    void follow(Branch branch, int faultsLeft) {
        tally.run();
        Scene scene = branch.scene().fork();
        try {
            scene.step(branch.name().injections().getLast());
        } catch (Violation | RuntimeException e) {
            tally.failed(branch.name(), e.toString());
            return;
        }
        Optional<Consumer<Branch>> branches =
                faultsLeft > 0 ? Optional.of(next -> follow(next, faultsLeft - 1)) : Optional.empty();
        follow(scene, branch.name(), branches, faultsLeft);
    }

    private void follow(Scene from, RunName name, Optional<Consumer<Branch>> branches, int faultsLeft) {
        Scene scene = from;
        Set<Long> own = new HashSet<>();
        try {
            for (int i = 0; !scene.isAtRest(); i++) {
                Rest.require(i);
                boolean fresh = true;
                if (scene.isBetweenSeconds()) {
                    long state = State.of(scene);
                    fresh = own.add(state);
                    if (fresh && known.visit(state, faultsLeft)) {
                        tally.pruned();
                        return;
                    }
                }
                tally.step();
                if (branches.isEmpty() || !fresh) {
                    scene.step();
                } else {
                    Scene next = scene.fork();
                    int requests = next.step();
                    branch(scene, requests, name, branches.get());
                    scene = next;
                }
            }
            new Judgement(scene).verdict().ifPresent(complaint -> tally.failed(name, complaint));
        } catch (Violation | RuntimeException e) {
            tally.failed(name, e.toString());
        }
    }

    /** Every fault before each of the requests of the next step; before a second of the world it is one place. */
    private void branch(Scene scene, int requests, RunName name, Consumer<Branch> branches) {
        boolean pass = !scene.isBetweenSeconds();
        int places = pass ? requests : 1;
        for (int place = 0; place < places; place++) {
            tally.boundary();
            for (Fault fault : new Troublemaker(scene).possible(pass)) {
                branches.accept(new Branch(scene, name.and(new Injection(scene.steps(), place, fault))));
            }
        }
    }
}
