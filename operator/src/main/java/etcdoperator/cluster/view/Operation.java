package etcdoperator.cluster.view;

import etcdoperator.api.OperationStatus;
import etcdoperator.api.OperationType;
import java.time.Instant;
import java.util.Objects;

/** What is under way, as status records it before the first effect: the durable lock over a cluster. */
public record Operation(OperationType type, String target, Instant startedAt, String reason) {
    public static Operation of(OperationStatus status) {
        return new Operation(
                status.type(),
                Objects.requireNonNullElse(status.target(), ""),
                status.startedAt(),
                Objects.requireNonNullElse(status.reason(), ""));
    }

    /** Whether members are expected to be silent until they have come up. */
    boolean startsMembers() {
        return switch (type) {
            case BOOTSTRAP, RESUME, ADOPT -> true;
            case SCALE_UP,
                    SCALE_DOWN,
                    REPLACE,
                    EXPEL,
                    SLEEP,
                    ROLL,
                    UPGRADE,
                    DOWNGRADE,
                    DEFRAGMENT,
                    FREE_SPACE,
                    DISARM,
                    ACCOUNTS,
                    RESTORE,
                    RECOVER -> false;
        };
    }

    /** Whether somebody has asked for another size or version, and may be told what to think of it. */
    public boolean followsAWish() {
        return switch (type) {
            case BOOTSTRAP, RESUME, ADOPT, SCALE_UP, SCALE_DOWN, UPGRADE, DOWNGRADE -> true;
            case REPLACE, EXPEL, SLEEP, ROLL, DEFRAGMENT, FREE_SPACE, DISARM, ACCOUNTS, RESTORE, RECOVER -> false;
        };
    }

    /** Whether members are added to etcd or removed from it. */
    public boolean changesMembers() {
        return switch (type) {
            case SCALE_UP, SCALE_DOWN, REPLACE, EXPEL -> true;
            case BOOTSTRAP,
                    RESUME,
                    ADOPT,
                    SLEEP,
                    ROLL,
                    UPGRADE,
                    DOWNGRADE,
                    DEFRAGMENT,
                    FREE_SPACE,
                    DISARM,
                    ACCOUNTS,
                    RESTORE,
                    RECOVER -> false;
        };
    }

    public boolean restartsMembers() {
        return switch (type) {
            case ROLL, UPGRADE, DOWNGRADE -> true;
            case BOOTSTRAP,
                    RESUME,
                    ADOPT,
                    SCALE_UP,
                    SCALE_DOWN,
                    REPLACE,
                    EXPEL,
                    SLEEP,
                    DEFRAGMENT,
                    FREE_SPACE,
                    DISARM,
                    ACCOUNTS,
                    RESTORE,
                    RECOVER -> false;
        };
    }

    public OperationStatus toStatus() {
        return new OperationStatus(type, target, startedAt, reason);
    }
}
