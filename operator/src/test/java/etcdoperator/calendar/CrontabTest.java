package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrontabTest {
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
        assertThat(Crontab.parse(text).next(NEW_YEAR, UTC)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    * * * * *            | 2026-01-01T00:00:00Z
                    30 4 * * *           | 2025-12-31T04:30:00Z
                    7/20 * * * *         | 2025-12-31T23:47:00Z
                    0 3,22 * * *         | 2025-12-31T22:00:00Z
                    0 2 * * FRI-SUN      | 2025-12-28T02:00:00Z
                    0 0 31 4-6 *         | 2025-05-31T00:00:00Z
                    0 0 29 FEB *         | 2024-02-29T00:00:00Z
                    0 0 29 2 */7         | 2004-02-29T00:00:00Z
                    @hourly              | 2026-01-01T00:00:00Z
                    @weekly              | 2025-12-28T00:00:00Z
                    @yearly              | 2026-01-01T00:00:00Z
                    """)
    void theLastRunBeforeTheYearOrAtItsBeginning(String text, Instant expected) {
        assertThat(Crontab.parse(text).last(NEW_YEAR, UTC)).isEqualTo(expected);
    }

    @Test
    void partsOfAMinuteAreNoReasonToRunAgain() {
        Instant run = Instant.parse("2026-01-01T04:30:00Z");
        Crontab crontab = Crontab.parse("30 4 * * *");
        assertThat(crontab.last(run, UTC)).isEqualTo(run);
        assertThat(crontab.last(run.plusMillis(1), UTC)).isEqualTo(run);
        assertThat(crontab.last(run.minusMillis(1), UTC)).isEqualTo(run.minus(1, ChronoUnit.DAYS));
        assertThat(crontab.next(run.plusMillis(1), UTC)).isEqualTo(run.plus(1, ChronoUnit.DAYS));
        assertThat(crontab.next(run.minusMillis(1), UTC)).isEqualTo(run);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    60 * * * *        | the minute 60 is not between 0 and 59
                    * 24 * * *        | the hour 24 is not between 0 and 23
                    * 20-24 * * *     | the hour 24 is not between 0 and 23
                    * * 0 * *         | the day of month 0 is not between 1 and 31
                    * * * 13 *        | the month 13 is not between 1 and 12
                    * * * * 8         | the day of week 8 is not between 0 and 7
                    * * * MAI *       | the month 'MAI' is neither a number nor a name such as JAN
                    * * * * SO        | the day of week 'SO' is neither a number nor a name such as SUN
                    * x * * *         | the hour 'x' is not a number
                    ? * * * *         | the minute '?' is not a number
                    -5 * * * *        | the minute '' is not a number
                    1,,2 * * * *      | the minute '' is not a number
                    99999999999 * * * * | the minute '99999999999' is not a number
                    9-5 * * * *       | the minute '9-5' ends before it begins
                    * * * * SAT-MON   | the day of week 'SAT-MON' ends before it begins
                    1-2-3 * * * *     | the minute '1-2-3' is not a range
                    */0 * * * *       | the minute step 0 leads nowhere
                    */x * * * *       | the minute step 'x' is not a number
                    */2/3 * * * *     | the minute '*/2/3' has more than one step
                    30 2 30 2 *       | the day of month 30 never comes in February
                    0 0 30,31 FEB *   | the day of month 30 or 31 never comes in February
                    0 0 31 4,6,9,11 * | the day of month 31 never comes in April, June, September or November
                    0 0 31 2 */2      | the day of month 31 never comes in February
                    * * * *           | expected minute, hour, day of month, month and day of week
                    0 * * * * *       | expected minute, hour, day of month, month and day of week
                    @reboot           | known are @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly
                    """)
    void whatIsWrongIsNamed(String text, String why) {
        assertThatThrownBy(() -> Crontab.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a crontab: " + why);
    }

    @Test
    void anEmptyTextIsNoCrontab() {
        assertThatThrownBy(() -> Crontab.parse(" "))
                .hasMessage("' ' is not a crontab: expected minute, hour, day of month, month and day of week");
    }

    @Test
    void aDayThatOnlySomeMonthsHaveIsNoMistake() {
        assertThat(Crontab.parse("0 0 31 2,3 *").next(NEW_YEAR, UTC)).isEqualTo(Instant.parse("2026-03-31T00:00:00Z"));
        assertThat(Crontab.parse("0 0 30 2 MON").next(NEW_YEAR, UTC))
                .as("the Mondays of February remain")
                .isEqualTo(Instant.parse("2026-02-02T00:00:00Z"));
    }

    @Test
    void theRarestDayIsFound() {
        Instant century = Instant.parse("2096-03-01T00:00:00Z");
        assertThat(Crontab.parse("0 0 29 2 *").next(century, UTC)).isEqualTo(Instant.parse("2104-02-29T00:00:00Z"));
        Crontab leapDayOnSunday = Crontab.parse("0 0 29 2 */7");
        assertThat(leapDayOnSunday.next(NEW_YEAR, UTC)).isEqualTo(Instant.parse("2032-02-29T00:00:00Z"));
        assertThat(leapDayOnSunday.next(Instant.parse("2088-03-01T00:00:00Z"), UTC))
                .isEqualTo(Instant.parse("2128-02-29T00:00:00Z"));
    }

    @Test
    void equalWordsAreOneCrontab() {
        Crontab one = Crontab.parse("@daily");
        assertThat(one).isEqualTo(Crontab.parse(" @daily ")).hasSameHashCodeAs(Crontab.parse("@daily"));
        assertThat(one).isNotEqualTo(Crontab.parse("@hourly")).hasToString("@daily");
        assertThat(Schedule.parse("@daily", UTC))
                .isNotEqualTo(Schedule.parse("@daily", ZoneId.of("Europe/Berlin")))
                .hasToString("@daily Z");
    }

    @Test
    void randomCrontabsAgreeWithAWalkFromMinuteToMinute() {
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
            Crontab crontab = Crontab.parse(text);
            assertThat(crontab.next(start, UTC)).as(text + " after " + start).isEqualTo(walked);
            assertThat(crontab.last(walked.plusSeconds(59), UTC)).isEqualTo(walked);
            assertThat(crontab.last(walked.minusSeconds(1), UTC)).as(text).isBeforeOrEqualTo(start);
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
}
