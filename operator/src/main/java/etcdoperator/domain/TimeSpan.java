package etcdoperator.domain;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as manifests have them: {@code 100ms}, {@code 90s}, {@code 5m}, {@code 1h30m}. */
public final class TimeSpan {
    private static final Pattern SYNTAX = Pattern.compile("([0-9]{1,6}(h|m|s|ms))+");
    private static final Pattern PART = Pattern.compile("([0-9]+)(ms|[hms])");

    private TimeSpan() {}

    public static Duration parse(String text) {
        if (!SYNTAX.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration: expected one such as 90s or 1h30m");
        }
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            long count = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "h" -> Duration.ofHours(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "s" -> Duration.ofSeconds(count);
                        default -> Duration.ofMillis(count);
                    });
        }
        return sum;
    }
}
