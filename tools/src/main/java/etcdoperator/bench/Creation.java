package etcdoperator.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** From apply to healthy members, beside a plain StatefulSet; in turns, so that the machine's noise hits both. */
final class Creation {
    private static final int RUNS = 3;
    private static final double RATIO_TARGET = 1.5;
    private static final double RATIO_AIM = 1.2;
    private static final double BEST_PEER_SECONDS = 18;

    private final Bed bed;
    private final Results results;

    Creation(Bed bed, Results results) {
        this.bed = bed;
        this.results = results;
    }

    void threeMembers() throws IOException, InterruptedException {
        Map<Subject, List<Marks>> runs = inTurns("three", 1, 3);
        double operator = median(runs, Subject.OPERATOR, Milestone.HEALTHY);
        double plain = median(runs, Subject.PLAIN, Milestone.HEALTHY);
        double ratio = operator / plain;
        results.add(
                "create-3.ratio",
                "a  three members healthy, operator / plain StatefulSet",
                "×",
                ratio,
                OptionalDouble.of(RATIO_TARGET),
                ratio <= RATIO_AIM ? "aim of " + RATIO_AIM + " too" : "aim is " + RATIO_AIM);
        results.add("create-3.operator", "   apply to three healthy members, operator", "s", operator);
        results.add("create-3.plain", "   the same, plain StatefulSet (the machine itself)", "s", plain);
        results.add(
                "create-3.reported",
                "   apply to Available with 3 ready in status",
                "s",
                median(runs, Subject.OPERATOR, Milestone.REPORTED));
        printTimeline(runs);
    }

    void twentyClusters() throws IOException, InterruptedException {
        Map<Subject, List<Marks>> runs = inTurns("twenty", 20, 1);
        results.add(
                "create-20x1.operator",
                "c  20 single-member clusters at once, all healthy",
                "s",
                median(runs, Subject.OPERATOR, Milestone.HEALTHY),
                OptionalDouble.of(BEST_PEER_SECONDS),
                "");
        results.add(
                "create-20x1.plain",
                "   the same, 20 plain StatefulSets (the machine itself)",
                "s",
                median(runs, Subject.PLAIN, Milestone.HEALTHY));
        printTimeline(runs);
    }

    private Map<Subject, List<Marks>> inTurns(String purpose, int clusters, int size)
            throws IOException, InterruptedException {
        Map<Subject, List<Marks>> runs = new EnumMap<>(Subject.class);
        for (int run = 1; run <= RUNS; run++) {
            for (Subject subject : Subject.values()) {
                Marks marks = once(subject, purpose, clusters, size);
                runs.computeIfAbsent(subject, s -> new ArrayList<>()).add(marks);
                System.err.printf(
                        "  %d × %d, %s, run %d of %d: %.2f s%n",
                        clusters, size, subject.words(), run, RUNS, seconds(marks.await(Milestone.HEALTHY)));
            }
        }
        return runs;
    }

    private Marks once(Subject subject, String purpose, int clusters, int size)
            throws IOException, InterruptedException {
        String namespace = bed.newNamespace(purpose);
        try (var onlooker = new Onlooker(bed.client(), namespace, clusters * size)) {
            onlooker.marks().begin();
            bed.apply(subject, namespace, 0, clusters, size);
            onlooker.marks().await(Milestone.HEALTHY);
            onlooker.marks().await(subject == Subject.OPERATOR ? Milestone.REPORTED : Milestone.PODS_READY);
            return onlooker.marks();
        } finally {
            bed.remove(namespace);
        }
    }

    private static void printTimeline(Map<Subject, List<Marks>> runs) {
        System.out.printf("%n%-34s %12s %12s   seconds after apply, medians%n", "ALL MEMBERS:", "OPERATOR", "PLAIN");
        for (Milestone milestone : Milestone.values()) {
            System.out.printf(
                    "%-34s %12s %12s%n",
                    milestone.words(),
                    cell(Marks.median(runs.getOrDefault(Subject.OPERATOR, List.of()), milestone)),
                    cell(Marks.median(runs.getOrDefault(Subject.PLAIN, List.of()), milestone)));
        }
    }

    private static String cell(Optional<Duration> value) {
        return value.map(time -> "%.2f".formatted(seconds(time))).orElse("-");
    }

    private static double median(Map<Subject, List<Marks>> runs, Subject subject, Milestone milestone) {
        return Marks.median(runs.getOrDefault(subject, List.of()), milestone)
                .map(Creation::seconds)
                .orElseThrow();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
