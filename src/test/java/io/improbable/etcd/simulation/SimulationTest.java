package io.improbable.etcd.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Thousands of short histories, each another mix of crashes, delays, lost answers, dead nodes and emptied disks.
 *
 * <p>{@code -Dsimulation.histories=N} runs more of them, {@code -Dsimulation.seed=S} replays one with its trace.
 */
class SimulationTest {
    private static final int HISTORIES = Integer.getInteger("simulation.histories", 1_000);
    private static final long FIRST = Long.getLong("simulation.first", 1L);

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("io.improbable.etcd")).setLevel(Level.OFF);
    }

    @Test
    void everyInvariantHoldsInEveryHistory() {
        Long seed = Long.getLong("simulation.seed");
        List<String> failures = seed != null
                ? Outcome.of(seed, Sabotage.NONE, EnumSet.allOf(Invariant.class)).withTrace().stream()
                        .toList()
                : LongStream.range(FIRST, FIRST + HISTORIES)
                        .parallel()
                        .mapToObj(each -> Outcome.of(each, Sabotage.NONE, EnumSet.allOf(Invariant.class)))
                        .flatMap(outcome -> outcome.failure().stream())
                        .toList();
        assertThat(failures).isEmpty();
    }
}
