package etcdoperator.calendar;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a schedule has to do now, found from what is on record alone, so that a restart of the operator changes nothing.
 *
 * <p>Of all runs that have come due since the last one, only the newest is started; the others are missed. If even the
 * newest is older than the starting deadline, it is missed as well. Whoever follows an answer has to record
 * {@link #settled}: until then the same run stays due.
 */
public sealed interface DueRun {
    /** Missed runs are not counted further than this: nobody needs the number, and counting takes time. */
    int COUNTED_AT_MOST = 1000;

    /** The newest run that needs nothing more; to be recorded as the last scheduled time. None: nothing has changed. */
    Optional<Instant> settled();

    /** When to look again; none while suspended. */
    Optional<Instant> next();

    /** How many runs will never be made up for, by this answer. */
    int missed();

    /** A sentence for people. */
    String reason();

    /**
     * Start this run now.
     *
     * @param missed older runs that it makes up for
     */
    record Start(Instant scheduled, int missed, Instant nextRun) implements DueRun {
        @Override
        public Optional<Instant> settled() {
            return Optional.of(scheduled);
        }

        @Override
        public Optional<Instant> next() {
            return Optional.of(nextRun);
        }

        @Override
        public String reason() {
            return "the run of %s is due".formatted(scheduled)
                    + (missed == 0 ? "" : ", and makes up for %s before it".formatted(counted(missed)));
        }
    }

    /**
     * Start none, and tell of it: the newest due run is too old.
     *
     * @param missed with that one
     * @param startableUntil when it could last have been started
     */
    record TooLate(Instant scheduled, int missed, Instant startableUntil, Instant nextRun) implements DueRun {
        @Override
        public Optional<Instant> settled() {
            return Optional.of(scheduled);
        }

        @Override
        public Optional<Instant> next() {
            return Optional.of(nextRun);
        }

        @Override
        public String reason() {
            return "the run of %s was missed: it could have been started until %s".formatted(scheduled, startableUntil)
                    + (missed == 1 ? "" : "; %s were missed in all".formatted(counted(missed)));
        }
    }

    /** Nothing is due. */
    record Wait(Instant nextRun) implements DueRun {
        @Override
        public Optional<Instant> settled() {
            return Optional.empty();
        }

        @Override
        public Optional<Instant> next() {
            return Optional.of(nextRun);
        }

        @Override
        public int missed() {
            return 0;
        }

        @Override
        public String reason() {
            return "the next run is due at %s".formatted(nextRun);
        }
    }

    /**
     * Start none: the user wants none. What comes due meanwhile is not made up for later.
     *
     * @param passed the newest run that came due since the last answer
     * @param missed with that one
     */
    record Suspended(Optional<Instant> passed, int missed) implements DueRun {
        @Override
        public Optional<Instant> settled() {
            return passed;
        }

        @Override
        public Optional<Instant> next() {
            return Optional.empty();
        }

        @Override
        public String reason() {
            return "suspended";
        }
    }

    private static String counted(int runs) {
        return runs == 1
                ? "1 run"
                : runs >= COUNTED_AT_MOST ? "%d runs or more".formatted(runs) : "%d runs".formatted(runs);
    }

    /**
     * What is on record of a schedule.
     *
     * @param inForceSince when it was made, or last changed: no run before that was ever promised
     * @param lastScheduled the last run that was settled
     * @param startingDeadline how late a run may start; no limit, if there is none
     */
    record Ledger(
            Schedule schedule,
            Instant inForceSince,
            Optional<Instant> lastScheduled,
            Optional<Duration> startingDeadline,
            boolean suspended) {
        public Ledger {
            if (startingDeadline.filter(Duration::isNegative).isPresent()) {
                throw new IllegalArgumentException("a starting deadline cannot be negative");
            }
        }

        public DueRun at(Instant now) {
            Instant settled = settledAt(now);
            Instant newest = schedule.last(now);
            boolean due = newest.isAfter(settled);
            if (suspended) {
                return due
                        ? new Suspended(Optional.of(newest), runsBetween(settled, newest))
                        : new Suspended(Optional.empty(), 0);
            }
            Instant next = schedule.next(settled.isAfter(now) ? settled : now);
            if (!due) {
                return new Wait(next);
            }
            int runs = runsBetween(settled, newest);
            return startingDeadline
                    .map(newest::plus)
                    .filter(now::isAfter)
                    .<DueRun>map(until -> new TooLate(newest, runs, until, next))
                    .orElseGet(() -> new Start(newest, runs - 1, next));
        }

        /**
         * The clock of a former leader may have been ahead by some seconds, so a last run that lies before us is
         * believed. But not one further ahead than the next run: then a clock was wrong, and to wait for that time
         * could mean no backup for years; how many runs were missed is not known, either.
         */
        private Instant settledAt(Instant now) {
            Instant last = lastScheduled.orElse(inForceSince);
            Instant believed =
                    last.isAfter(schedule.next(now)) ? schedule.last(now).minusNanos(1) : last;
            return believed.isAfter(inForceSince) ? believed : inForceSince;
        }

        private int runsBetween(Instant settled, Instant newest) {
            int runs = 1;
            for (Instant run = schedule.next(settled);
                    run.isBefore(newest) && runs < COUNTED_AT_MOST;
                    run = schedule.next(run)) {
                runs++;
            }
            return runs;
        }
    }
}
