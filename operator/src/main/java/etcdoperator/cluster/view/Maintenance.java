package etcdoperator.cluster.view;

import etcdoperator.calendar.Schedule;
import etcdoperator.calendar.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What upkeep the user wants, and when.
 *
 * @param window when what may wait may be done; always, if there is none
 * @param defragmentation when every member is defragmented
 * @param wastedShare the unused share of a database from which on it is defragmented at any time
 * @param comparison how often the members' data is compared; empty for never
 * @param quotaBytes how large a database may grow, where etcd itself does not tell
 * @param forbidden whether no moment is right
 */
public record Maintenance(
        Optional<Window> window,
        Optional<Schedule> defragmentation,
        double wastedShare,
        Optional<Duration> comparison,
        long quotaBytes,
        boolean forbidden) {
    /** What the user has written cannot be read: nothing is done that could wait. */
    public static final Maintenance NEVER =
            new Maintenance(Optional.empty(), Optional.empty(), 1, Optional.empty(), 2L << 30, true);

    public boolean isOpenAt(Instant moment) {
        return !forbidden && window.map(w -> w.isOpenAt(moment)).orElse(true);
    }
}
