package io.improbable.etcd.domain;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When something is to happen, as crontab has it, by the clocks of one place. A change to or from summer time neither
 * skips a run nor repeats it: what falls into the missing hour happens at its end, and of an hour that comes twice only
 * the first counts. Only what happens in every hour of the day follows the time that really passes.
 */
public final class Schedule {
    private static final Map<String, String> SHORTHANDS = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");

    /** A 29 February on one day of the week comes again after 40 years at the latest. */
    private static final int YEARS_TO_LOOK_AHEAD = 41;

    private final String text;
    private final ZoneId zone;
    private final CronField minutes;
    private final CronField hours;
    private final CronField daysOfMonth;
    private final CronField months;
    private final CronField daysOfWeek;

    private Schedule(String text, ZoneId zone, String[] fields) {
        this.text = text;
        this.zone = zone;
        this.minutes = CronField.parse(CronField.Kind.MINUTE, fields[0]);
        this.hours = CronField.parse(CronField.Kind.HOUR, fields[1]);
        this.daysOfMonth = CronField.parse(CronField.Kind.DAY_OF_MONTH, fields[2]);
        this.months = CronField.parse(CronField.Kind.MONTH, fields[3]);
        this.daysOfWeek = CronField.parse(CronField.Kind.DAY_OF_WEEK, fields[4]);
    }

    /** Fails with a sentence that says which field is wrong. */
    public static Schedule parse(String text, ZoneId zone) {
        String line = text.strip();
        if (line.startsWith("@") && !SHORTHANDS.containsKey(line)) {
            throw wrong(
                    text,
                    "known are "
                            + String.join(
                                    ", ", SHORTHANDS.keySet().stream().sorted().toList()));
        }
        String[] fields = SHORTHANDS.getOrDefault(line, line).split("\\s+");
        if (fields.length != 5) {
            throw wrong(text, "expected minute, hour, day of month, month and day of week");
        }
        try {
            return new Schedule(line, zone, fields);
        } catch (IllegalArgumentException e) {
            throw wrong(text, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("'" + text + "' is not a schedule: " + why);
    }

    /** The first time after this one; none, if it never comes, as 30 February. */
    public Optional<Instant> next(Instant after) {
        LocalDate today = LocalDate.ofInstant(after, zone);
        return today.datesUntil(today.plusYears(YEARS_TO_LOOK_AHEAD))
                .filter(this::isOn)
                .flatMap(day -> firstOf(day, after).stream())
                .findFirst();
    }

    /** As cron does: of two fields that both name days, either is enough. */
    private boolean isOn(LocalDate day) {
        boolean ofMonth = daysOfMonth.has(day.getDayOfMonth());
        boolean ofWeek = daysOfWeek.has(day.getDayOfWeek().getValue() % 7);
        boolean either = !daysOfMonth.starred() && !daysOfWeek.starred();
        return months.has(day.getMonthValue()) && (either ? ofMonth || ofWeek : ofMonth && ofWeek);
    }

    private Optional<Instant> firstOf(LocalDate day, Instant after) {
        return hours.values().stream()
                .flatMap(hour -> minutes.values().stream().map(minute -> day.atTime(hour, minute)))
                .flatMap(this::instants)
                .filter(instant -> instant.isAfter(after))
                .min(Instant::compareTo);
    }

    private Stream<Instant> instants(LocalDateTime time) {
        ZoneRules rules = zone.getRules();
        List<ZoneOffset> offsets = rules.getValidOffsets(time);
        if (hours.values().size() == 24) {
            return offsets.stream().map(time::toInstant);
        }
        if (offsets.isEmpty()) {
            ZoneOffsetTransition gap = Objects.requireNonNull(rules.getTransition(time));
            return Stream.of(gap.getInstant());
        }
        return Stream.of(time.toInstant(offsets.getFirst()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Schedule that && text.equals(that.text) && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, zone);
    }

    @Override
    public String toString() {
        return text + " " + zone;
    }
}
