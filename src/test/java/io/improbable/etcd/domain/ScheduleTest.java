package io.improbable.etcd.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    private static final ZoneId UTC = ZoneOffset.UTC;

    /** A Thursday. */
    private static final Instant NEW_YEAR = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    * * * * *            | 2026-01-01T00:01:00Z
                    0 0 * * *            | 2026-01-02T00:00:00Z
                    30 4 * * *           | 2026-01-01T04:30:00Z
                    */20 * * * *         | 2026-01-01T00:20:00Z
                    7/20 * * * *         | 2026-01-01T00:07:00Z
                    10-30/10 2 * * *     | 2026-01-01T02:10:00Z
                    0 3,22 * * *         | 2026-01-01T03:00:00Z
                    0 2 * * SAT          | 2026-01-03T02:00:00Z
                    0 2 * * sun          | 2026-01-04T02:00:00Z
                    0 2 * * 0            | 2026-01-04T02:00:00Z
                    0 2 * * 7            | 2026-01-04T02:00:00Z
                    0 2 * * FRI-7        | 2026-01-02T02:00:00Z
                    0 2 * * MON-WED      | 2026-01-05T02:00:00Z
                    0 0 13 * FRI         | 2026-01-02T00:00:00Z
                    0 0 13 * */2         | 2026-01-13T00:00:00Z
                    0 0 */2 * FRI        | 2026-01-09T00:00:00Z
                    0 0 31 * *           | 2026-01-31T00:00:00Z
                    0 0 31 4-6 *         | 2026-05-31T00:00:00Z
                    0 0 29 FEB *         | 2028-02-29T00:00:00Z
                    15 12 1 JUN-AUG *    | 2026-06-01T12:15:00Z
                    @hourly              | 2026-01-01T01:00:00Z
                    @daily               | 2026-01-02T00:00:00Z
                    @midnight            | 2026-01-02T00:00:00Z
                    @weekly              | 2026-01-04T00:00:00Z
                    @monthly             | 2026-02-01T00:00:00Z
                    @yearly              | 2027-01-01T00:00:00Z
                    @annually            | 2027-01-01T00:00:00Z
                    """)
    void theFirstRunOfTheYear(String text, Instant expected) {
        assertThat(Schedule.parse(text, UTC).next(NEW_YEAR)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    60 * * * *     | minute: 60 is not between 0 and 59
                    * 24 * * *     | hour: 24 is not between 0 and 23
                    * * 0 * *      | day of month: 0 is not between 1 and 31
                    * * * 13 *     | month: 13 is not between 1 and 12
                    * * * * 8      | day of week: 8 is not between 0 and 7
                    * * * MAI *    | month: 'MAI' is not a number or a name
                    * x * * *      | hour: 'x' is not a number
                    ? * * * *      | minute: '?' is not a number
                    -5 * * * *     | minute: '' is not a number
                    1,,2 * * * *   | minute: '' is not a number
                    9-5 * * * *    | minute: '9-5' ends before it begins
                    1-2-3 * * * *  | minute: '1-2-3' is not a range
                    */0 * * * *    | minute: a step of 0 leads nowhere
                    */2/3 * * * *  | minute: '*/2/3' has more than one step
                    * * * *        | expected minute, hour, day of month, month and day of week
                    0 * * * * *    | expected minute, hour, day of month, month and day of week
                    @reboot        | known are @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly
                    """)
    void whatIsWrongIsNamed(String text, String why) {
        assertThatThrownBy(() -> Schedule.parse(text, UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a schedule: " + why);
    }

    @Test
    void whatNeverComesHasNoNextTime() {
        assertThat(Schedule.parse("0 0 30 2 *", UTC).next(NEW_YEAR)).isEmpty();
        assertThat(Schedule.parse("0 0 31 4,6,9,11 *", UTC).next(NEW_YEAR)).isEmpty();
    }

    @Test
    void theRarestDayIsFound() {
        assertThat(Schedule.parse("0 0 29 2 *", UTC).next(Instant.parse("2096-03-01T00:00:00Z")))
                .contains(Instant.parse("2104-02-29T00:00:00Z"));
    }

    @Test
    void equalWordsAtOnePlaceAreOneSchedule() {
        Schedule one = Schedule.parse("@daily", UTC);
        assertThat(one).isEqualTo(Schedule.parse(" @daily ", UTC)).hasSameHashCodeAs(Schedule.parse("@daily", UTC));
        assertThat(one).isNotEqualTo(Schedule.parse("@daily", ZoneId.of("Europe/Berlin")));
        assertThat(one).isNotEqualTo(Schedule.parse("@hourly", UTC)).hasToString("@daily Z");
    }

    @Test
    void randomSchedulesAgreeWithAWalkFromMinuteToMinute() {
        var dice = new Random(1);
        for (int i = 0; i < 50; i++) {
            Set<Integer> minutes = some(dice, 0, 59);
            Set<Integer> hours = some(dice, 0, 23);
            Set<Integer> days = some(dice, 1, 31);
            Set<Integer> months = some(dice, 1, 12);
            Set<Integer> weekdays = some(dice, 0, 6);
            String text = Stream.of(minutes, hours, days, months, weekdays)
                    .map(values -> values.stream().map(String::valueOf).collect(Collectors.joining(",")))
                    .collect(Collectors.joining(" "));
            Instant start = NEW_YEAR.plus(dice.nextInt(500_000), ChronoUnit.MINUTES);
            Instant walked = start.plus(1, ChronoUnit.MINUTES);
            while (!matches(walked, minutes, hours, days, months, weekdays)) {
                walked = walked.plus(1, ChronoUnit.MINUTES);
            }
            assertThat(Schedule.parse(text, UTC).next(start))
                    .as(text + " after " + start)
                    .contains(walked);
        }
    }

    private static Set<Integer> some(Random dice, int first, int last) {
        Set<Integer> values = new TreeSet<>();
        int count = 1 + dice.nextInt(4);
        IntStream.range(0, count).forEach(i -> values.add(first + dice.nextInt(last - first + 1)));
        return values;
    }

    private static boolean matches(
            Instant at,
            Set<Integer> minutes,
            Set<Integer> hours,
            Set<Integer> days,
            Set<Integer> months,
            Set<Integer> weekdays) {
        LocalDateTime time = LocalDateTime.ofInstant(at, UTC);
        return minutes.contains(time.getMinute())
                && hours.contains(time.getHour())
                && months.contains(time.getMonthValue())
                && (days.contains(time.getDayOfMonth())
                        || weekdays.contains(time.getDayOfWeek().getValue() % 7));
    }

    @ParameterizedTest
    @CsvSource({
        "30 2 * * *, Europe/Berlin,    2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z, 2026-03-30T00:30:00Z",
        "30 2 * * *, Europe/Berlin,    2026-10-24T12:00:00Z, 2026-10-25T00:30:00Z, 2026-10-26T01:30:00Z",
        "30 2 * * *, America/New_York, 2026-03-07T12:00:00Z, 2026-03-08T07:00:00Z, 2026-03-09T06:30:00Z",
        "30 1 * * *, America/New_York, 2026-10-31T12:00:00Z, 2026-11-01T05:30:00Z, 2026-11-02T06:30:00Z",
        "0 3 * * *,  Europe/Berlin,    2026-03-28T12:00:00Z, 2026-03-29T01:00:00Z, 2026-03-30T01:00:00Z",
        "0 3 * * *,  Europe/Berlin,    2026-10-24T12:00:00Z, 2026-10-25T02:00:00Z, 2026-10-26T02:00:00Z"
    })
    void aRunInTheHourThatIsMissingOrComesTwiceHappensOnce(
            String text, String zone, Instant after, Instant first, Instant second) {
        Schedule schedule = Schedule.parse(text, ZoneId.of(zone));
        assertThat(schedule.next(after)).contains(first);
        assertThat(schedule.next(first)).contains(second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"})
    void everyTimeOfDayComesOncePerDayOfTheYear(String place) {
        ZoneId zone = ZoneId.of(place);
        for (int minute = 0; minute < 24 * 60; minute += 15) {
            Schedule schedule = Schedule.parse(minute % 60 + " " + minute / 60 + " * * *", zone);
            List<LocalDate> days = runs(schedule, zone, 365).stream()
                    .map(run -> LocalDate.ofInstant(run, zone))
                    .toList();
            assertThat(days)
                    .as(schedule.toString())
                    .containsExactlyElementsOf(LocalDate.of(2026, 1, 1)
                            .datesUntil(LocalDate.of(2027, 1, 1))
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York"})
    void whatHappensEveryHourDoesSoByTheTimeThatPasses(String place) {
        ZoneId zone = ZoneId.of(place);
        List<Instant> runs = runs(Schedule.parse("30 * * * *", zone), zone, 365 * 24);
        for (int i = 1; i < runs.size(); i++) {
            assertThat(Duration.between(runs.get(i - 1), runs.get(i))).isEqualTo(Duration.ofHours(1));
        }
    }

    @Test
    void twoTimesInTheMissingHourAreOneRun() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Schedule schedule = Schedule.parse("10,50 2 * * *", berlin);
        Instant springForward = Instant.parse("2026-03-29T01:00:00Z");
        assertThat(schedule.next(springForward.minusSeconds(1))).contains(springForward);
        assertThat(schedule.next(springForward)).contains(Instant.parse("2026-03-30T00:10:00Z"));
    }

    private static List<Instant> runs(Schedule schedule, ZoneId zone, int count) {
        Instant before = LocalDate.of(2026, 1, 1).atStartOfDay(zone).toInstant().minusSeconds(1);
        return Stream.iterate(
                        schedule.next(before).orElseThrow(),
                        run -> schedule.next(run).orElseThrow())
                .limit(count)
                .toList();
    }
}
