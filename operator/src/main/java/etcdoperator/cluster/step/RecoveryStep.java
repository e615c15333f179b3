package etcdoperator.cluster.step;

import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Recoveries.Blanks;
import etcdoperator.manifest.Recoveries.Votes;
import java.util.List;

/** What follows when most voters are lost for good. */
public sealed interface RecoveryStep extends Step {
    /** Writes down that most voters are lost for good; from then on it must last. */
    record NoteLoss(Task task, String reason) implements RecoveryStep, Progress.OfTask {}

    /** Has what is left backed up before anything is touched. */
    record SaveRemains(Task task, String backup, String reason) implements RecoveryStep, Progress.OfTask {}

    /**
     * Has an EtcdRestore make a new etcd cluster of what is left, or of a backup.
     *
     * @param blanks claims on which nothing was found, as long as there are pods to look
     * @param votes what disks have to confirm
     */
    record Recover(
            Task task, String restore, ClusterId lost, RecoverySource source, Blanks blanks, Votes votes, String reason)
            implements RecoveryStep, Progress.OfTask {}

    /** Takes a person's choice back that was made for a loss which is over: the next loss is another one. */
    record DropChoice(String reason) implements RecoveryStep, Progress.Brief {}

    /**
     * Deletes the EtcdRestore that was to bring the cluster back: a majority may be left.
     *
     * @param promoted claims of learners of which one was found to have a vote
     * @param readable claims that etcd calls corrupt, and an agent could read
     */
    record CallOff(String restore, List<String> promoted, List<String> readable, String reason) implements RecoveryStep, Progress.OfRecorded {}

    /** Says on the EtcdRestore that is to bring the cluster back that the loss lasts, so that old claims are put aside. */
    record ConfirmLoss(String restore, String reason) implements RecoveryStep, Progress.OfRecorded {}
}
