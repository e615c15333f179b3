package etcdoperator.cluster.view;

import java.time.Instant;
import java.util.Optional;

/**
 * An EtcdBackup of this cluster.
 *
 * @param at when it was completed, or else when it was begun; absent before that
 * @param says what is told of it: where it is, or why it failed
 * @param before the version that was to come after it, if the operator took it on its own account
 * @param revision up to which it goes, once it is completed
 * @param ofAnEarlierCluster whether it was taken before this one of the name was made
 */
public record BackupView(
        String name,
        State state,
        Instant createdAt,
        Optional<Instant> at,
        String says,
        Optional<String> before,
        Optional<Long> revision,
        boolean ofAnEarlierCluster) {
    /** How far it has come. */
    public enum State {
        UNDER_WAY,
        COMPLETED,
        FAILED
    }

    public boolean isCompleted() {
        return state == State.COMPLETED;
    }
}
