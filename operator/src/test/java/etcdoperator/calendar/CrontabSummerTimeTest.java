package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The days on which the clocks move. */
class CrontabSummerTimeTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

    /** Two runs that follow each other, around a change. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            30 2 * * *,  Europe/Berlin,        2026-03-28T01:30:00Z, 2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z
            30 2 * * *,  Europe/Berlin,        2026-10-24T00:30:00Z, 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z
            0 3 * * *,   Europe/Berlin,        2026-03-28T02:00:00Z, 2026-03-29T01:00:00Z, 2026-03-30T01:00:00Z
            0 3 * * *,   Europe/Berlin,        2026-10-24T01:00:00Z, 2026-10-25T02:00:00Z, 2026-10-26T02:00:00Z
            30 2 * * *,  America/New_York,     2026-03-07T07:30:00Z, 2026-03-08T07:00:00Z, 2026-03-09T06:30:00Z
            30 1 * * *,  America/New_York,     2026-10-31T05:30:00Z, 2026-11-01T05:30:00Z, 2026-11-02T06:30:00Z
            15 2 * * *,  Australia/Lord_Howe,  2026-10-02T15:45:00Z, 2026-10-03T15:30:00Z, 2026-10-04T15:15:00Z
            45 1 * * *,  Australia/Lord_Howe,  2026-04-03T14:45:00Z, 2026-04-04T14:45:00Z, 2026-04-05T15:15:00Z
            15 0 * * *,  America/Havana,       2026-03-07T05:15:00Z, 2026-03-08T05:00:00Z, 2026-03-09T04:15:00Z
            0 12 * * *,  Pacific/Apia,         2011-12-29T22:00:00Z, 2011-12-30T10:00:00Z, 2011-12-30T22:00:00Z
            0 */2 * * *, Europe/Berlin,        2026-03-28T23:00:00Z, 2026-03-29T01:00:00Z, 2026-03-29T02:00:00Z
            0 */2 * * *, Europe/Berlin,        2026-10-24T22:00:00Z, 2026-10-25T00:00:00Z, 2026-10-25T03:00:00Z
            '10,50 2 * * *', Europe/Berlin,    2026-03-28T01:50:00Z, 2026-03-29T01:00:00Z, 2026-03-30T00:10:00Z
            '0,30 2,3 * * *', Europe/Berlin,   2026-03-28T02:30:00Z, 2026-03-29T01:00:00Z, 2026-03-29T01:30:00Z
            """)
    void aRunAtATimeThatIsMissingOrComesTwiceHappensOnce(
            String text, ZoneId zone, Instant before, Instant run, Instant after) {
        assertThat(runs(text, zone, before.minusSeconds(1), 3)).containsExactly(before, run, after);
        assertThat(runsBackwards(text, zone, after, 3)).containsExactly(after, run, before);
    }

    @Test
    void whileAnHourComesAgainItsRunsAreOver() {
        Crontab crontab = Crontab.parse("10,50 2 * * *");
        Instant second = Instant.parse("2026-10-25T00:50:00Z");
        for (int minute = 0; minute < 60; minute++) {
            Instant again = Instant.parse("2026-10-25T01:00:00Z").plusSeconds(60L * minute);
            assertThat(crontab.last(again, BERLIN)).isEqualTo(second);
            assertThat(crontab.next(again, BERLIN)).isEqualTo(Instant.parse("2026-10-26T01:10:00Z"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"30 * * * *", "30 */1 * * *", "30 0-23 * * *", "@hourly"})
    void whatRunsEveryHourDoesSoByTheTimeThatPasses(String text) {
        for (String place : List.of("Europe/Berlin", "America/New_York", "America/Havana", "America/Nuuk", "UTC")) {
            List<Instant> runs = runs(text, ZoneId.of(place), Instant.parse("2026-01-01T00:00:00Z"), 366 * 24);
            assertThat(pauses(runs)).containsExactly(Duration.ofHours(1));
            assertThat(runsBackwards(text, ZoneId.of(place), runs.getLast(), runs.size()))
                    .isEqualTo(runs.reversed());
        }
    }

    @Test
    void whatRunsEveryFiveMinutesNeverPauses() {
        for (String place : List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe")) {
            List<Instant> runs =
                    runs("*/5 * * * *", ZoneId.of(place), Instant.parse("2026-01-01T00:00:00Z"), 365 * 24 * 12);
            assertThat(pauses(runs)).containsExactly(Duration.ofMinutes(5));
        }
    }

    /** Clocks go from 2:00 to 2:30 on 4 October and from 2:00 to 1:30 on 5 April. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0 * * * *,  2026-10-03T14:30:00Z, 2026-10-03T15:30:00Z, 2026-10-03T16:00:00Z
            15 * * * *, 2026-10-03T14:45:00Z, 2026-10-03T15:30:00Z, 2026-10-03T16:15:00Z
            30 * * * *, 2026-10-03T15:00:00Z, 2026-10-03T15:30:00Z, 2026-10-03T16:30:00Z
            45 * * * *, 2026-10-03T15:15:00Z, 2026-10-03T15:45:00Z, 2026-10-03T16:45:00Z
            0 * * * *,  2026-04-04T14:00:00Z, 2026-04-04T15:30:00Z, 2026-04-04T16:30:00Z
            45 * * * *, 2026-04-04T14:45:00Z, 2026-04-04T15:15:00Z, 2026-04-04T16:15:00Z
            """)
    void halfAnHourOfSummerTimeLeavesNoHourOfTheClockWithoutARun(
            String text, Instant before, Instant run, Instant after) {
        assertThat(runs(text, LORD_HOWE, before.minusSeconds(1), 3)).containsExactly(before, run, after);
        assertThat(runsBackwards(text, LORD_HOWE, after, 3)).containsExactly(after, run, before);
    }

    private static Set<Duration> pauses(List<Instant> runs) {
        return IntStream.range(1, runs.size())
                .mapToObj(i -> Duration.between(runs.get(i - 1), runs.get(i)))
                .collect(Collectors.toSet());
    }

    private static List<Instant> runs(String text, ZoneId zone, Instant after, int count) {
        Crontab crontab = Crontab.parse(text);
        return Stream.iterate(crontab.next(after, zone), run -> crontab.next(run, zone))
                .limit(count)
                .toList();
    }

    private static List<Instant> runsBackwards(String text, ZoneId zone, Instant from, int count) {
        Crontab crontab = Crontab.parse(text);
        return Stream.iterate(crontab.last(from, zone), run -> crontab.last(run.minusNanos(1), zone))
                .limit(count)
                .toList();
    }
}
