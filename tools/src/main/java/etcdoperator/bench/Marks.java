package etcdoperator.bench;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** When each milestone was reached by all of the objects it is about, counted from the apply. */
final class Marks {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final int expected;
    private final Map<Milestone, Set<String>> seen = new EnumMap<>(Milestone.class);
    private final Map<Milestone, Duration> reached = new EnumMap<>(Milestone.class);
    private long zero = System.nanoTime();

    Marks(int expected) {
        this.expected = expected;
    }

    synchronized void begin() {
        zero = System.nanoTime();
    }

    synchronized void note(Milestone milestone, String object) {
        Set<String> objects = seen.computeIfAbsent(milestone, m -> new HashSet<>());
        if (objects.add(object) && objects.size() == expected) {
            reached.put(milestone, Duration.ofNanos(System.nanoTime() - zero));
            notifyAll();
        }
    }

    /** Waits for as long as it takes, and says now and then what it waits for: the numbers judge, not a time limit. */
    synchronized Duration await(Milestone milestone) throws InterruptedException {
        long toldNanos = System.nanoTime();
        while (!reached.containsKey(milestone)) {
            wait(1_000);
            if (!reached.containsKey(milestone) && System.nanoTime() - toldNanos > PATIENCE.toNanos()) {
                toldNanos = System.nanoTime();
                int count = seen.getOrDefault(milestone, Set.of()).size();
                System.err.printf("  … waiting: %s, %d of %d%n", milestone.words(), count, expected);
            }
        }
        return requireNonNull(reached.get(milestone));
    }

    synchronized Optional<Duration> at(Milestone milestone) {
        return Optional.ofNullable(reached.get(milestone));
    }

    /** The median over several runs; runs in which it was not seen are left out. */
    static Optional<Duration> median(List<Marks> runs, Milestone milestone) {
        List<Duration> sorted = runs.stream()
                .flatMap(run -> run.at(milestone).stream())
                .sorted()
                .toList();
        return sorted.isEmpty() ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
    }
}
