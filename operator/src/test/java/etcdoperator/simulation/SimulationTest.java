package etcdoperator.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
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

    /** Among so many some are brought back. */
    private static final int ENOUGH = 200;

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    void everyInvariantHoldsInEveryHistory() {
        Optional<String> seeds = Optional.ofNullable(System.getProperty("simulation.seed"));
        var recoveries = new AtomicInteger();
        var backups = new AtomicInteger();
        List<Outcome> failures = seeds.map(SimulationTest::named)
                .orElseGet(() -> LongStream.range(FIRST, FIRST + HISTORIES))
                .parallel()
                .mapToObj(each -> Outcome.of(each, Sabotage.NONE, EnumSet.allOf(Invariant.class)))
                .peek(outcome -> recoveries.addAndGet(outcome.recoveries()))
                .peek(outcome -> backups.addAndGet(outcome.backups()))
                .filter(outcome -> outcome.failure().isPresent())
                .toList();
        if (seeds.isEmpty() && HISTORIES >= ENOUGH) {
            assertThat(recoveries.get()).isPositive();
            assertThat(backups.get()).isPositive();
        }
        assertThat(failures).withFailMessage(() -> report(failures)).isEmpty();
    }

    private static LongStream named(String seeds) {
        return Stream.of(seeds.split(",")).mapToLong(Long::parseLong);
    }

    private static String report(List<Outcome> failures) {
        String all =
                failures.stream().flatMap(outcome -> outcome.failure().stream()).collect(Collectors.joining("\n"));
        Outcome first = failures.getFirst();
        return "%s%n%nThe first of them, as mvn test -Dtest=SimulationTest -Dsimulation.seed=%d replays it:%n%s%n%s"
                .formatted(all, first.seed(), first.trace(), first.failure().orElseThrow());
    }
}
