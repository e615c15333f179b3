package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.calendar.DueRun.Ledger;
import etcdoperator.calendar.DueRun.Start;
import etcdoperator.calendar.DueRun.Suspended;
import etcdoperator.calendar.DueRun.TooLate;
import etcdoperator.calendar.DueRun.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DueRunTest {
    private static final Schedule AT_THREE = Schedule.parse("0 3 * * *", ZoneOffset.UTC);
    private static final Instant MADE = Instant.parse("2026-11-10T12:00:00Z");

    @Test
    void beforeTheFirstRunNothingIsDue() {
        assertThat(fresh().at(MADE)).isEqualTo(new Wait(day(11)));
        assertThat(fresh().at(day(11).minusMillis(1))).isEqualTo(new Wait(day(11)));
        assertThat(fresh().at(MADE).reason()).isEqualTo("the next run is due at 2026-11-11T03:00:00Z");
    }

    @Test
    void aRunIsDueFromItsMomentOnUntilItIsSettled() {
        assertThat(fresh().at(day(11))).isEqualTo(new Start(day(11), 0, day(12)));
        assertThat(fresh().at(day(11).plusSeconds(3600))).isEqualTo(new Start(day(11), 0, day(12)));
        assertThat(settled(day(11)).at(day(11))).isEqualTo(new Wait(day(12)));
        assertThat(settled(day(11)).at(day(11).plusSeconds(3600))).isEqualTo(new Wait(day(12)));
        assertThat(fresh().at(day(11)).reason()).isEqualTo("the run of 2026-11-11T03:00:00Z is due");
    }

    @Test
    void theMomentOfMakingIsNoRunAndWhatWasBeforeIsNotMadeUpFor() {
        var made = new Ledger(AT_THREE, day(11), Optional.empty(), Optional.empty(), false);
        assertThat(made.at(day(11))).isEqualTo(new Wait(day(12)));
    }

    @Test
    void aChangedCrontabPromisesNothingForThePast() {
        var changed = new Ledger(AT_THREE, day(14).plusSeconds(60), Optional.of(day(12)), Optional.empty(), false);
        assertThat(changed.at(day(14).plusSeconds(90))).isEqualTo(new Wait(day(15)));
    }

    @Test
    void missedRunsAreMadeUpForOnce() {
        DueRun due = settled(day(11)).at(day(15).plusSeconds(7200));
        assertThat(due).isEqualTo(new Start(day(15), 3, day(16)));
        assertThat(due.reason()).isEqualTo("the run of 2026-11-15T03:00:00Z is due, and makes up for 3 runs before it");
        assertThat(settled(due.settled().orElseThrow()).at(day(15).plusSeconds(7200)))
                .isEqualTo(new Wait(day(16)));
        assertThat(settled(day(13)).at(day(15)).reason()).endsWith("makes up for 1 run before it");
    }

    @Test
    void aRunOlderThanTheStartingDeadlineIsMissedAndToldOfOnce() {
        Ledger strict = strict(day(11));
        Instant deadline = day(12).plusSeconds(3600);
        assertThat(strict.at(deadline)).isEqualTo(new Start(day(12), 0, day(13)));
        DueRun late = strict.at(deadline.plusMillis(1));
        assertThat(late).isEqualTo(new TooLate(day(12), 1, deadline, day(13)));
        assertThat(late.reason())
                .isEqualTo("the run of 2026-11-12T03:00:00Z was missed: it could have been started until"
                        + " 2026-11-12T04:00:00Z");
        assertThat(strict(late.settled().orElseThrow()).at(deadline.plusMillis(2)))
                .isEqualTo(new Wait(day(13)));
    }

    @Test
    void ofManyMissedRunsTheNewestMayStillStart() {
        assertThat(strict(day(11)).at(day(15).plusSeconds(60))).isEqualTo(new Start(day(15), 3, day(16)));
        DueRun late = strict(day(11)).at(day(15).plusSeconds(7200));
        assertThat(late).isInstanceOf(TooLate.class);
        assertThat(late.missed()).isEqualTo(4);
        assertThat(late.reason()).endsWith("; 4 runs were missed in all");
    }

    @Test
    void whileSuspendedRunsPassAndAreNotMadeUpForLater() {
        var asleep = new Ledger(AT_THREE, MADE, Optional.of(day(11)), Optional.empty(), true);
        DueRun passing = asleep.at(day(14).plusSeconds(60));
        assertThat(passing).isEqualTo(new Suspended(Optional.of(day(14)), 3));
        assertThat(passing.next()).isEmpty();
        assertThat(asleep.at(day(11).plusSeconds(60))).isEqualTo(new Suspended(Optional.empty(), 0));
        assertThat(settled(passing.settled().orElseThrow()).at(day(14).plusSeconds(120)))
                .isEqualTo(new Wait(day(15)));
    }

    @Test
    void aFormerLeadersClockMayHaveBeenAhead() {
        assertThat(settled(day(12)).at(day(12).minusSeconds(2))).isEqualTo(new Wait(day(13)));
    }

    @Test
    void aLastRunInTheFarFutureIsNotBelieved() {
        Ledger confused = settled(Instant.parse("2062-01-01T03:00:00Z"));
        assertThat(confused.at(day(12).plusSeconds(60))).isEqualTo(new Start(day(12), 0, day(13)));
        assertThat(confused.at(MADE.plusSeconds(60))).isEqualTo(new Wait(day(11)));
    }

    @Test
    void countingEnds() {
        Schedule everyMinute = Schedule.parse("* * * * *", ZoneOffset.UTC);
        var ledger = new Ledger(everyMinute, MADE, Optional.empty(), Optional.empty(), false);
        DueRun due = ledger.at(MADE.plus(Duration.ofDays(3650)));
        assertThat(due.missed()).isEqualTo(DueRun.COUNTED_AT_MOST - 1);
        var strict = new Ledger(everyMinute, MADE, Optional.empty(), Optional.of(Duration.ZERO), false);
        assertThat(strict.at(MADE.plus(Duration.ofDays(3650)).plusSeconds(1)).reason())
                .endsWith("1000 runs or more were missed in all");
    }

    @Test
    void aDeadlineBeforeTheRunIsAMistake() {
        assertThatThrownBy(
                        () -> new Ledger(AT_THREE, MADE, Optional.empty(), Optional.of(Duration.ofSeconds(-1)), false))
                .hasMessage("a starting deadline cannot be negative");
    }

    /** An operator that comes and goes starts what an observer with a calendar would, each run at most once. */
    @Test
    void howeverOftenAnOperatorLooksEachRunIsStartedOrMissedExactlyOnce() {
        for (int seed = 0; seed < 100; seed++) {
            var dice = new Random(seed);
            Schedule schedule = Schedule.parse(
                    List.of("30 2 * * *", "0 * * * *", "*/20 1-3 * * *", "0 0 * * 0")
                            .get(dice.nextInt(4)),
                    ZoneId.of("Europe/Berlin"));
            Optional<Duration> deadline =
                    dice.nextBoolean() ? Optional.of(Duration.ofMinutes(dice.nextInt(90))) : Optional.empty();
            Instant begin = Instant.parse("2026-03-20T00:00:00Z").plusSeconds(dice.nextInt(86400));
            Instant now = begin;
            Optional<Instant> last = Optional.empty();
            List<Instant> started = new ArrayList<>();
            long missed = 0;
            while (now.isBefore(begin.plus(Duration.ofDays(20)))) {
                DueRun due = new Ledger(schedule, begin, last, deadline, false).at(now);
                missed += due.missed();
                if (due instanceof Start(Instant scheduled, int before, Instant next)) {
                    assertThat(next).isAfter(now);
                    started.add(scheduled);
                }
                last = due.settled().isPresent() ? due.settled() : last;
                now = now.plusSeconds(1 + dice.nextInt(dice.nextInt(10) == 0 ? 200_000 : 1800));
            }
            Instant end = last.orElse(begin);
            long runs = Stream.iterate(schedule.next(begin), run -> !run.isAfter(end), schedule::next)
                    .count();
            assertThat(started).as("seed %d", seed).doesNotHaveDuplicates().isSorted();
            assertThat(started.size() + missed).as("seed %d", seed).isEqualTo(runs);
        }
    }

    private static Ledger fresh() {
        return new Ledger(AT_THREE, MADE, Optional.empty(), Optional.empty(), false);
    }

    private static Ledger settled(Instant last) {
        return new Ledger(AT_THREE, MADE, Optional.of(last), Optional.empty(), false);
    }

    private static Ledger strict(Instant last) {
        return new Ledger(AT_THREE, MADE, Optional.of(last), Optional.of(Duration.ofHours(1)), false);
    }

    private static Instant day(int day) {
        return Instant.parse("2026-11-%dT03:00:00Z".formatted(day));
    }
}
