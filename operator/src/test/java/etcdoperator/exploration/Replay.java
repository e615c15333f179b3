package etcdoperator.exploration;

import etcdoperator.simulation.rules.Violation;
import etcdoperator.simulation.world.Inventory;
import etcdoperator.simulation.world.Sabotage;
import java.util.Optional;

/** One run once more, with its trace. */
final class Replay {
    private Replay() {}

    record Outcome(String trace, Optional<String> complaint) {}

    static Outcome of(RunName name, Sabotage sabotage) {
        Scene scene = name.begin().operation().begin(name.begin().members(), sabotage);
        Optional<String> complaint;
        try {
            for (Injection injection : name.injections()) {
                while (scene.steps() < injection.step()) {
                    scene.step();
                }
                scene.step(injection);
            }
            Rest.reach(scene);
            complaint = new Judgement(scene).verdict();
        } catch (Violation | RuntimeException e) {
            complaint = Optional.of(e.toString());
        }
        return new Outcome(scene.world().trace().text() + "\n" + new Inventory(scene.world()).text(), complaint);
    }
}
