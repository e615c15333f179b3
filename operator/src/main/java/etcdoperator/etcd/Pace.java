package etcdoperator.etcd;

import java.time.Duration;

/**
 * How often a member is asked: eagerly while something is under way, calmly once all is well. Worried are those who
 * have reason to think that no quorum is left: to them, who does not answer once is not well. While members are added or
 * removed, the metrics of members that answer are read as well.
 */
public enum Pace {
    WORRIED(Duration.ofMillis(200)),
    THOROUGH(Duration.ofMillis(200)),
    EAGER(Duration.ofMillis(200)),
    CALM(Duration.ofSeconds(10));

    private final Duration interval;

    Pace(Duration interval) {
        this.interval = interval;
    }

    public Duration interval() {
        return interval;
    }
}
