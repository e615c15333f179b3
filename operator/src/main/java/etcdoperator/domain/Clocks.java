package etcdoperator.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One moment, as this process has it and as the API server has it. Either may be wrong. What cannot be taken back, such
 * as the end of a backup, is done by time only where both agree.
 *
 * @param server empty until the API server has said it
 */
public record Clocks(Instant local, Optional<Instant> server) {
    /** More than slow answers explain, and less than certificates are backdated. */
    public static final Duration BOUND = Duration.ofMinutes(5);

    public static Clocks agreeingOn(Instant now) {
        return new Clocks(now, Optional.of(now));
    }

    /** Why nothing is done by time; empty where both agree. The same words in each pass, whatever the time is. */
    public Optional<String> doubt() {
        return server.map(other -> difference().map(apart -> inWords(local.isAfter(other))))
                .orElseGet(() -> Optional.of("The API server has not said yet what time it is"));
    }

    private static String inWords(boolean ahead) {
        return "The operator's clock is more than %d minutes %s the API server's"
                .formatted(BOUND.toMinutes(), ahead ? "ahead of" : "behind");
    }

    /** How far they are apart, if they are known to be further than the bound. */
    public Optional<Duration> difference() {
        return server.map(other -> Duration.between(other, local).abs())
                .filter(difference -> difference.compareTo(BOUND) > 0);
    }
}
