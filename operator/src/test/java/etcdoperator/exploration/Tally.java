package etcdoperator.exploration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What an exploration has done, and what it has found. */
final class Tally {
    private final LongAdder boundaries = new LongAdder();
    private final LongAdder runs = new LongAdder();
    private final LongAdder pruned = new LongAdder();
    private final LongAdder steps = new LongAdder();
    private final List<Failure> failures = new ArrayList<>();

    /** A run that does not end as it must. */
    record Failure(RunName run, String why) {
        private static final int LONGEST = 600;

        /** Without most of a long status. */
        String shortened() {
            String all = toString();
            return all.length() > LONGEST ? all.substring(0, LONGEST) + "…" : all;
        }

        @Override
        public String toString() {
            return run + ": " + why;
        }
    }

    void boundary() {
        boundaries.increment();
    }

    void run() {
        runs.increment();
    }

    long runs() {
        return runs.sum();
    }

    /** What another one has counted, too. */
    void add(Tally other) {
        boundaries.add(other.boundaries.sum());
        runs.add(other.runs.sum());
        pruned.add(other.pruned.sum());
        steps.add(other.steps.sum());
        other.failures().forEach(failure -> failed(failure.run(), failure.why()));
    }

    void step() {
        steps.increment();
    }

    void pruned() {
        pruned.increment();
    }

    synchronized void failed(RunName run, String why) {
        failures.add(new Failure(run, why));
    }

    synchronized List<Failure> failures() {
        return List.copyOf(failures);
    }

    @Override
    public String toString() {
        return "%d boundaries, %d runs, %d of them ended in a known state, %d steps, %d violations"
                .formatted(
                        boundaries.sum(),
                        runs.sum(),
                        pruned.sum(),
                        steps.sum(),
                        failures().size());
    }
}
