package etcdoperator.calendar;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The times that a crontab names, on a clock and a calendar that no summer time ever moves. */
record WallClock(CronField minutes, CronField hours, CronField daysOfMonth, CronField months, CronField daysOfWeek) {
    WallClock {
        // Where either field of days is enough, there is always a day: every week has all of its days.
        if (!eitherIsEnough(daysOfMonth, daysOfWeek) && !hasADay(daysOfMonth, months)) {
            throw new IllegalArgumentException("the day of month %s never comes in %s"
                    .formatted(
                            listed(daysOfMonth.values().stream()
                                    .map(String::valueOf)
                                    .toList()),
                            named(months)));
        }
    }

    static WallClock parse(List<String> fields) {
        return new WallClock(
                CronField.parse(CronField.Kind.MINUTE, fields.get(0)),
                CronField.parse(CronField.Kind.HOUR, fields.get(1)),
                CronField.parse(CronField.Kind.DAY_OF_MONTH, fields.get(2)),
                CronField.parse(CronField.Kind.MONTH, fields.get(3)),
                CronField.parse(CronField.Kind.DAY_OF_WEEK, fields.get(4)));
    }

    boolean isEveryHour() {
        return hours.values().size() == 24;
    }

    boolean isOn(LocalDateTime time) {
        return time.equals(lastUntil(time));
    }

    LocalDateTime firstAfter(LocalDateTime time) {
        LocalDateTime from = time.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        LocalDate day = firstDayFrom(from.toLocalDate());
        Optional<LocalTime> today =
                day.equals(from.toLocalDate()) ? firstFrom(from.toLocalTime()) : Optional.of(first());
        return today.map(day::atTime)
                .orElseGet(() -> firstDayFrom(day.plusDays(1)).atTime(first()));
    }

    /** It may be that time itself. */
    LocalDateTime lastUntil(LocalDateTime time) {
        LocalDate day = lastDayUntil(time.toLocalDate());
        Optional<LocalTime> today =
                day.equals(time.toLocalDate()) ? lastUntil(time.toLocalTime()) : Optional.of(last());
        return today.map(day::atTime)
                .orElseGet(() -> lastDayUntil(day.minusDays(1)).atTime(last()));
    }

    private LocalDate firstDayFrom(LocalDate start) {
        LocalDate day = start;
        while (!isOn(day)) {
            day = months.has(day.getMonthValue())
                    ? day.plusDays(1)
                    : day.plusMonths(1).withDayOfMonth(1);
        }
        return day;
    }

    private LocalDate lastDayUntil(LocalDate end) {
        LocalDate day = end;
        while (!isOn(day)) {
            day = months.has(day.getMonthValue())
                    ? day.minusDays(1)
                    : day.withDayOfMonth(1).minusDays(1);
        }
        return day;
    }

    private boolean isOn(LocalDate day) {
        boolean ofMonth = daysOfMonth.has(day.getDayOfMonth());
        boolean ofWeek = daysOfWeek.has(day.getDayOfWeek().getValue() % 7);
        boolean either = eitherIsEnough(daysOfMonth, daysOfWeek);
        return months.has(day.getMonthValue()) && (either ? ofMonth || ofWeek : ofMonth && ofWeek);
    }

    /** As cron does: of two fields that both name days, either is enough. */
    private static boolean eitherIsEnough(CronField daysOfMonth, CronField daysOfWeek) {
        return !daysOfMonth.starred() && !daysOfWeek.starred();
    }

    private LocalTime first() {
        return LocalTime.of(hours.values().getFirst(), minutes.values().getFirst());
    }

    private LocalTime last() {
        return LocalTime.of(hours.values().getLast(), minutes.values().getLast());
    }

    private Optional<LocalTime> firstFrom(LocalTime time) {
        Optional<LocalTime> thisHour = hours.has(time.getHour())
                ? Optional.ofNullable(minutes.values().ceiling(time.getMinute()))
                        .map(minute -> LocalTime.of(time.getHour(), minute))
                : Optional.empty();
        return thisHour.or(() -> Optional.ofNullable(hours.values().higher(time.getHour()))
                .map(hour -> LocalTime.of(hour, minutes.values().getFirst())));
    }

    private Optional<LocalTime> lastUntil(LocalTime time) {
        Optional<LocalTime> thisHour = hours.has(time.getHour())
                ? Optional.ofNullable(minutes.values().floor(time.getMinute()))
                        .map(minute -> LocalTime.of(time.getHour(), minute))
                : Optional.empty();
        return thisHour.or(() -> Optional.ofNullable(hours.values().lower(time.getHour()))
                .map(hour -> LocalTime.of(hour, minutes.values().getLast())));
    }

    /** A 29 February is on each day of the week now and then, so the day of the week does not matter. */
    private static boolean hasADay(CronField daysOfMonth, CronField months) {
        int earliest = daysOfMonth.values().getFirst();
        return months.values().stream()
                .anyMatch(month -> earliest <= Month.of(month).maxLength());
    }

    private static String named(CronField months) {
        return listed(months.values().stream()
                .map(month -> Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH))
                .toList());
    }

    private static String listed(List<String> words) {
        return words.size() == 1
                ? words.getFirst()
                : words.stream().limit(words.size() - 1L).collect(Collectors.joining(", ")) + " or " + words.getLast();
    }
}
