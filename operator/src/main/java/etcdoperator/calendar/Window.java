package etcdoperator.calendar;

import java.time.Duration;
import java.time.Instant;

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
        return opens.last(time).plus(stays).isAfter(time);
    }

    public Instant opensNext(Instant after) {
        return opens.next(after);
    }
}
