package etcdoperator.calendar;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Optional;

/**
 * Which backups the user wants to keep. A number of 0 is a rule that was not given. {@link Retention} says what the
 * rules mean.
 *
 * @param maxAge how old a backup may become
 * @param daysOfPreviousMonth days such as 1 and 15, of which the first backup is kept until the end of the next month
 */
public record RetentionPolicy(
        int keepLast,
        int hourly,
        int daily,
        int weekly,
        int monthly,
        Optional<Duration> maxAge,
        List<Integer> daysOfPreviousMonth) {
    public static final RetentionPolicy KEEP_EVERYTHING =
            new RetentionPolicy(0, 0, 0, 0, 0, Optional.empty(), List.of());

    public RetentionPolicy {
        requireCount("last", keepLast);
        requireCount("hourly", hourly);
        requireCount("daily", daily);
        requireCount("weekly", weekly);
        requireCount("monthly", monthly);
        if (maxAge.filter(age -> !age.isPositive()).isPresent()) {
            throw new IllegalArgumentException("a maximum age of nothing would keep no backup");
        }
        daysOfPreviousMonth = daysOfPreviousMonth.stream().sorted().distinct().toList();
        daysOfPreviousMonth.stream()
                .filter(day -> !ChronoField.DAY_OF_MONTH.range().isValidValue(day))
                .findFirst()
                .ifPresent(day -> {
                    throw new IllegalArgumentException("the day of month " + day + " is not between 1 and 31");
                });
    }

    /** Whether some rule picks backups to keep; otherwise at most age decides. */
    boolean picks() {
        return keepLast > 0 || hourly > 0 || daily > 0 || weekly > 0 || monthly > 0 || !daysOfPreviousMonth.isEmpty();
    }

    boolean isTooOld(Instant completed, Instant now) {
        return maxAge.filter(age -> completed.isBefore(now.minus(age))).isPresent();
    }

    private static void requireCount(String what, int count) {
        if (count < 0) {
            throw new IllegalArgumentException("the number of " + what + " backups to keep is negative: " + count);
        }
    }
}
