package etcdoperator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.simulation.world.Sabotage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;

/**
 * Every fault at every boundary between two effects, for a few operations.
 *
 * <p>{@code -Dexploration.minutes=N} takes every operation, and then pairs of faults from where the last exploration has
 * ended; {@code -Dexploration.sizes=5} those of clusters of five, {@code -Dexploration.cases=REPLACE/3,SLEEP/1} these alone.
 * {@code -Dexploration.run=NAME} replays one run with its trace.
 */
class ExplorationTest {
    private static final List<Integer> SIZES = Stream.of(
                    System.getProperty("exploration.sizes", "1,3").split(","))
            .map(Integer::valueOf)
            .toList();
    private static final long MINUTES = Long.getLong("exploration.minutes", 0L);
    private static final int SHOWN = 30;
    private static final Path POSITION = Path.of("src/test/resources/exploration/position");

    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    @Test
    @DisabledIfSystemProperty(named = "exploration.run", matches = ".*")
    @DisabledIfSystemProperty(named = "exploration.minutes", matches = ".*")
    void aFewOperationsSurviveOneFault() {
        var tally = new Tally();
        singles(List.of(new Case(Operation.SLEEP, 3), new Case(Operation.WAKE, 3)), tally);
        requireNoViolation(tally);
    }

    @Test
    @EnabledIfSystemProperty(named = "exploration.run", matches = ".+")
    void replay() {
        RunName name = RunName.parse(System.getProperty("exploration.run"));
        Replay.Outcome outcome = Replay.of(name, Sabotage.NONE);
        System.out.println(outcome.trace());
        assertThat(outcome.complaint()).isEmpty();
    }

    @Test
    @EnabledIfSystemProperty(named = "exploration.minutes", matches = "\\d+")
    void everyOperationSurvivesOneFaultAndAsManyPairsAsThereIsTimeFor() throws IOException {
        long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
        List<Case> cases = Optional.ofNullable(System.getProperty("exploration.cases"))
                .map(names -> Stream.of(names.split(",")).map(Case::parse).toList())
                .orElseGet(() -> Operation.cases(SIZES));
        var tally = new Tally();
        singles(cases, tally);
        pairs(cases, tally, () -> System.nanoTime() > end);
        requireNoViolation(tally);
    }

    private static void singles(List<Case> cases, Tally all) {
        for (Case begin : cases) {
            long start = System.nanoTime();
            var tally = new Tally();
            long states = Singles.explore(begin, Sabotage.NONE, tally);
            all.add(tally);
            say("%s, one fault: %s, %d states, %d s", begin, tally, states, secondsSince(start));
        }
    }

    private static void pairs(List<Case> cases, Tally all, BooleanSupplier enough) throws IOException {
        Position position = Position.read(POSITION);
        for (Case begin : cases) {
            Position.Progress before = position.of(begin);
            if (before.complete() || enough.getAsBoolean()) {
                continue;
            }
            long start = System.nanoTime();
            var tally = new Tally();
            Position.Progress after = new Pairs(begin, Sabotage.NONE, tally, enough).explore(before);
            position.set(begin, after);
            all.add(tally);
            say("%s, two faults: %s, now at %s, %d s", begin, tally, after, secondsSince(start));
        }
    }

    private static void say(String format, Object... arguments) {
        System.out.println(format.formatted(arguments));
    }

    private static long secondsSince(long start) {
        return (System.nanoTime() - start) / 1_000_000_000L;
    }

    private static void requireNoViolation(Tally tally) {
        assertThat(tally.failures())
                .withFailMessage(() -> report(tally.failures()))
                .isEmpty();
    }

    private static String report(List<Tally.Failure> failures) {
        return "%d runs do not end as they must. mvn test -Dtest=ExplorationTest -Dexploration.run='NAME' shows one with its trace.%n%s"
                .formatted(
                        failures.size(),
                        failures.stream()
                                .limit(SHOWN)
                                .map(Tally.Failure::shortened)
                                .collect(Collectors.joining("\n")));
    }
}
