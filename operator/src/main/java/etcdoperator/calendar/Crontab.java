package etcdoperator.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When something is to run, as crontab has it: minute, hour, day of month, month and day of week, or a word such as
 * {@code @daily}. A change to or from summer time neither skips a run nor repeats it:
 *
 * <ul>
 *   <li>A time that the clocks leave out runs at the first moment after the gap. Several such times are one run, and if
 *       the crontab names that first moment, too, it is the same run. Where the gap ends at midnight, that moment is on
 *       the next day.
 *   <li>A time that comes twice runs once, the first time.
 *   <li>A crontab of all 24 hours, however they are written, runs by the time that really passes: whenever the clock
 *       shows one of its times. It does not run for an hour that is left out, which took no time, and runs in both of an
 *       hour that comes twice: between two runs of {@code 30 * * * *} there is always exactly one hour. Where the clocks
 *       move by less than an hour, as on Lord Howe Island, a time that is left out runs at the end of the gap, and one
 *       that comes twice runs twice; so once in a spring or autumn two runs may be 30, 45 or 90 minutes apart.
 *   <li>A crontab of some hours, such as {@code 0 0-22/2 * * *}, follows the first two rules.
 * </ul>
 */
public final class Crontab {
    private static final Map<String, String> SHORTHANDS = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");

    private final String text;
    private final WallClock clock;

    private Crontab(String text, WallClock clock) {
        this.text = text;
        this.clock = clock;
    }

    /** Fails with a sentence that says which field is wrong, also if the crontab would never run. */
    public static Crontab parse(String text) {
        String line = text.strip();
        if (line.startsWith("@") && !SHORTHANDS.containsKey(line)) {
            throw wrong(text, "known are " + String.join(", ", new TreeSet<>(SHORTHANDS.keySet())));
        }
        List<String> fields = List.of(SHORTHANDS.getOrDefault(line, line).split("\\s+"));
        if (fields.size() != 5) {
            throw wrong(text, "expected minute, hour, day of month, month and day of week");
        }
        try {
            return new Crontab(line, WallClock.parse(fields));
        } catch (IllegalArgumentException e) {
            throw wrong(text, String.valueOf(e.getMessage()));
        }
    }

    private static IllegalArgumentException wrong(String text, String why) {
        return new IllegalArgumentException("'" + text + "' is not a crontab: " + why);
    }

    /** The first run after this moment. */
    public Instant next(Instant after, ZoneId zone) {
        return clock.isEveryHour() ? nextByTimePassed(after, zone.getRules()) : nextByClock(after, zone.getRules());
    }

    /** The last run that is not after this moment; it may be this moment itself. */
    public Instant last(Instant notAfter, ZoneId zone) {
        return clock.isEveryHour()
                ? lastByTimePassed(notAfter, zone.getRules())
                : lastByClock(notAfter, zone.getRules());
    }

    private Instant nextByClock(Instant after, ZoneRules rules) {
        LocalDateTime time = clock.firstAfter(shown(after, rules));
        // While an hour comes for the second time, its runs are over.
        while (!moment(time, rules).isAfter(after)) {
            time = clock.firstAfter(time);
        }
        return moment(time, rules);
    }

    private Instant lastByClock(Instant notAfter, ZoneRules rules) {
        return moment(clock.lastUntil(latestShown(notAfter, rules)), rules);
    }

    /** While an hour comes for the second time, the clock has already shown all of it. */
    private static LocalDateTime latestShown(Instant moment, ZoneRules rules) {
        LocalDateTime now = shown(moment, rules);
        @Nullable ZoneOffsetTransition change = rules.getTransition(now);
        return change != null && change.isOverlap() && !moment.isBefore(change.getInstant())
                ? change.getDateTimeBefore().minusNanos(1)
                : now;
    }

    private static Instant moment(LocalDateTime time, ZoneRules rules) {
        @Nullable ZoneOffsetTransition change = rules.getTransition(time);
        if (change == null) {
            return time.toInstant(rules.getOffset(time));
        }
        return change.isGap() ? change.getInstant() : time.toInstant(change.getOffsetBefore());
    }

    private static LocalDateTime shown(Instant moment, ZoneRules rules) {
        return LocalDateTime.ofInstant(moment, rules.getOffset(moment));
    }

    /** From one change of the clocks to the next, because in between a clock tells the time that passes. */
    private Instant nextByTimePassed(Instant after, ZoneRules rules) {
        Instant from = after;
        while (true) {
            Instant found = clock.firstAfter(shown(from, rules)).toInstant(rules.getOffset(from));
            @Nullable ZoneOffsetTransition change = rules.nextTransition(from);
            if (change == null || found.isBefore(change.getInstant())) {
                return found;
            }
            if (clock.isOn(change.getDateTimeAfter()) || swallowsARun(change)) {
                return change.getInstant();
            }
            from = change.getInstant();
        }
    }

    private Instant lastByTimePassed(Instant notAfter, ZoneRules rules) {
        Instant until = notAfter;
        while (true) {
            Instant found = clock.lastUntil(shown(until, rules)).toInstant(rules.getOffset(until));
            @Nullable ZoneOffsetTransition change = rules.previousTransition(until.plusNanos(1));
            if (change == null || !found.isBefore(change.getInstant())) {
                return found;
            }
            if (swallowsARun(change)) {
                return change.getInstant();
            }
            until = change.getInstant().minusNanos(1);
        }
    }

    /** A gap of whole hours takes no time from an hour that is shown; a shorter one may take its only run from it. */
    private boolean swallowsARun(ZoneOffsetTransition change) {
        boolean wholeHours =
                change.getDuration().toSeconds() % Duration.ofHours(1).toSeconds() == 0;
        return change.isGap()
                && !wholeHours
                && clock.firstAfter(change.getDateTimeBefore().minusNanos(1)).isBefore(change.getDateTimeAfter());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Crontab that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
