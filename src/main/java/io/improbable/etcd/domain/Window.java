package io.improbable.etcd.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Times at which something may be done.
 *
 * @param stays for how long it is open from each opening on; an opening while it is open prolongs it
 */
public record Window(Schedule opens, Duration stays) {
    public Window {
        if (!stays.isPositive()) {
            throw new IllegalArgumentException("a window that stays open for " + stays + " never opens");
        }
    }

    /** The moment at which it closes is outside. */
    public boolean isOpenAt(Instant time) {
        return opens.next(time.minus(stays))
                .filter(opening -> !opening.isAfter(time))
                .isPresent();
    }

    /** None, if its schedule never comes. */
    public Optional<Instant> opensNext(Instant after) {
        return opens.next(after);
    }
}
