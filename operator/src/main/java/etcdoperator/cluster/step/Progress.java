package etcdoperator.cluster.step;

import etcdoperator.api.OperationType;
import java.util.Optional;

/**
 * What status shows of the operation while a step is taken.
 *
 * @param operation the one that the step belongs to; empty for the one that status records already
 * @param keepsCondition whether the Progressing condition stays as it was: the step ends with this pass, an Event tells of
 *     it, and a condition of its own would be replaced at once
 */
public record Progress(Optional<OperationType> operation, boolean keepsCondition) {
    /** Of the recorded operation, if there is one. */
    public static final Progress OF_RECORDED = new Progress(Optional.empty(), false);

    /** Over with this pass. */
    public static final Progress BRIEF = OF_RECORDED.brief();

    public static Progress of(OperationType type) {
        return new Progress(Optional.of(type), false);
    }

    public static Progress of(Task task) {
        return of(task.type());
    }

    public Progress brief() {
        return new Progress(operation, true);
    }

    /** Every step answers this; most by one of the interfaces below. */
    public interface Shown {
        Progress progress();
    }

    /** A step that is over with its pass. */
    interface Brief extends Shown {
        @Override
        default Progress progress() {
            return BRIEF;
        }
    }

    /** A step of whichever operation is recorded. */
    interface OfRecorded extends Shown {
        @Override
        default Progress progress() {
            return OF_RECORDED;
        }
    }

    /** A step that knows its operation. */
    interface OfTask extends Shown {
        Task task();

        @Override
        default Progress progress() {
            return of(task());
        }
    }
}
