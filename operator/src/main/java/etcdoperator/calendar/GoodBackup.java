package etcdoperator.calendar;

import java.time.Instant;
import java.util.Comparator;

/** A backup that can be restored from. */
record GoodBackup(String name, Instant completed, boolean pinned) {
    /** Of two at one moment the name decides, so that asking again gets the same answer. */
    static final Comparator<GoodBackup> NEWEST_FIRST = Comparator.comparing(GoodBackup::completed)
            .thenComparing(GoodBackup::name)
            .reversed();
}
