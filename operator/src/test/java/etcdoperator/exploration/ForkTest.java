package etcdoperator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.simulation.world.Sabotage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A fork of a scene goes on as the scene itself does, and changes nothing of it. */
class ForkTest {
    private static final int EVERY = 7;

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @ParameterizedTest
    @EnumSource(names = {"CREATE", "RECOVERY", "CA_ROTATION"})
    void aForkGoesOnAsItsOriginal(Operation operation) {
        Scene scene = operation.begin(3, Sabotage.NONE);
        List<Scene> forks = new ArrayList<>();
        while (!scene.isAtRest()) {
            if (scene.steps() % EVERY == 0) {
                forks.add(scene.fork());
            }
            scene.step();
        }
        for (Scene fork : forks) {
            Rest.reach(fork);
            assertThat(fork.steps()).isEqualTo(scene.steps());
            assertThat(fork.world().trace().text())
                    .isEqualTo(scene.world().trace().text());
            assertThat(State.of(fork)).isEqualTo(State.of(scene));
        }
    }
}
