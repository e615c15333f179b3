package etcdoperator.calendar;

import java.time.Instant;

/**
 * A backup that a schedule has taken, or is about to.
 *
 * @param pinned whether a user has said to keep it
 */
public record StoredBackup(String name, Outcome outcome, boolean pinned) {
    /** What has become of it. */
    public sealed interface Outcome {}

    /** It waits or runs. */
    public record Unfinished() implements Outcome {}

    /** It can be restored from. */
    public record Good(Instant completed) implements Outcome {}

    /** There is nothing to restore from. */
    public record Failed(Instant completed) implements Outcome {}
}
