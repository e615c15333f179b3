package etcdoperator.calendar;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ten years at many places, against the calendar. */
class CrontabYearsTest {
    private static final LocalDate BEGIN = LocalDate.of(2020, 1, 1);
    private static final LocalDate END = LocalDate.of(2030, 1, 1);

    /** Among them changes at midnight, over midnight, by half an hour, in Ramadan, and for good. */
    private static final List<ZoneId> PLACES = Stream.of(
                    "UTC",
                    "Europe/Berlin",
                    "Europe/Dublin",
                    "America/New_York",
                    "America/St_Johns",
                    "America/Havana",
                    "America/Nuuk",
                    "America/Scoresbysund",
                    "America/Santiago",
                    "America/Asuncion",
                    "Africa/Casablanca",
                    "Africa/Cairo",
                    "Africa/Juba",
                    "Asia/Beirut",
                    "Asia/Tehran",
                    "Asia/Gaza",
                    "Asia/Kathmandu",
                    "Asia/Almaty",
                    "Australia/Lord_Howe",
                    "Pacific/Chatham",
                    "Pacific/Fiji",
                    "Pacific/Apia")
            .map(ZoneId::of)
            .toList();

    /** A run belongs to the day whose time it stands for; only a gap that ends at midnight moves it to the next day. */
    @ParameterizedTest
    @ValueSource(strings = {"0 0", "30 0", "15 1", "45 1", "0 2", "30 2", "0 3", "0 12", "30 23", "59 23"})
    void aDailyRunHappensExactlyOnceEachDay(String time) {
        for (ZoneId zone : PLACES) {
            List<LocalDate> days = runs(Crontab.parse(time + " * * *"), zone).stream()
                    .map(run -> dayOf(run, zone, time))
                    .toList();
            assertThat(days)
                    .as(time + " in " + zone)
                    .isEqualTo(BEGIN.datesUntil(END).toList());
        }
    }

    private static LocalDate dayOf(Instant run, ZoneId zone, String time) {
        LocalDateTime shown = LocalDateTime.ofInstant(run, zone);
        boolean movedOverMidnight = shown.getHour() == 0 && time.endsWith("23");
        return movedOverMidnight ? shown.toLocalDate().minusDays(1) : shown.toLocalDate();
    }

    @Test
    void onADayWithoutAChangeEachTimeComesExactlyOnce() {
        var dice = new Random(4711);
        for (ZoneId zone : PLACES) {
            for (int i = 0; i < 4; i++) {
                String text = dice.nextInt(60) + " " + (i == 0 ? "*" : hours(dice)) + " * * *";
                Crontab crontab = Crontab.parse(text);
                WallClock clock = WallClock.parse(List.of(text.split(" ")));
                Set<LocalDate> days = BEGIN.datesUntil(END)
                        .filter(day -> isWithoutChange(day, zone))
                        .collect(Collectors.toSet());
                List<LocalDateTime> hit = runs(crontab, zone).stream()
                        .map(run -> LocalDateTime.ofInstant(run, zone))
                        .filter(run -> days.contains(run.toLocalDate()))
                        .toList();
                assertThat(hit)
                        .as(text + " in " + zone)
                        .isEqualTo(BEGIN.datesUntil(END)
                                .filter(days::contains)
                                .flatMap(day -> times(clock, day))
                                .toList());
            }
        }
    }

    private static String hours(Random dice) {
        return switch (dice.nextInt(3)) {
            case 0 -> "*/" + (2 + dice.nextInt(5));
            case 1 -> dice.nextInt(12) + "-" + (12 + dice.nextInt(12));
            default -> dice.nextInt(24) + "," + dice.nextInt(24);
        };
    }

    /** A change at the very end of the day before may move a run to this one. */
    private static boolean isWithoutChange(LocalDate day, ZoneId zone) {
        Instant begin = day.minusDays(1).atStartOfDay(zone).toInstant();
        Instant end = day.plusDays(1).atStartOfDay(zone).toInstant();
        var change = zone.getRules().nextTransition(begin);
        return change == null || change.getInstant().isAfter(end);
    }

    private static Stream<LocalDateTime> times(WallClock clock, LocalDate day) {
        return clock.hours().values().stream()
                .flatMap(hour -> clock.minutes().values().stream().map(minute -> day.atTime(hour, minute)));
    }

    @Test
    void lookingBackFindsTheSameRunsAsLookingAhead() {
        var dice = new Random(15);
        for (ZoneId zone : PLACES) {
            for (String text : List.of("7 * * * *", "*/20 1-3 * * *", "30 0,2,23 * * 0", "15 2 1,15 * *")) {
                Crontab crontab = Crontab.parse(text);
                for (int i = 0; i < 300; i++) {
                    Instant moment = start(zone).plusSeconds(dice.nextInt(10 * 365 * 86400));
                    Instant last = crontab.last(moment, zone);
                    Instant next = crontab.next(moment, zone);
                    assertThat(!last.isAfter(moment)
                                    && next.isAfter(moment)
                                    && crontab.next(last, zone).equals(next)
                                    && crontab.last(next.minusNanos(1), zone).equals(last)
                                    && crontab.last(next, zone).equals(next))
                            .as("%s in %s at %s: %s, %s", text, zone, moment, last, next)
                            .isTrue();
                }
            }
        }
    }

    private static List<Instant> runs(Crontab crontab, ZoneId zone) {
        Instant end = END.atStartOfDay(zone).toInstant();
        return Stream.iterate(
                        crontab.next(start(zone).minusSeconds(1), zone),
                        run -> run.isBefore(end),
                        run -> crontab.next(run, zone))
                .toList();
    }

    private static Instant start(ZoneId zone) {
        return BEGIN.atStartOfDay(zone).toInstant();
    }
}
