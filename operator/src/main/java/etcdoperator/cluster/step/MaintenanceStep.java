package etcdoperator.cluster.step;

import etcdoperator.cluster.view.Membership.AlarmView;
import etcdoperator.domain.MemberId;
import java.util.List;

/** Keeps databases small, ends alarms, compares data. */
public sealed interface MaintenanceStep extends Step {
    /** Deletes backups that the operator took on its own account, with what they have stored. */
    record DropBackups(List<String> backups, String reason) implements MaintenanceStep, Progress.Brief {}

    /** Takes a pod out of the client service, because its member will not answer for a while. */
    record TakeOut(Task task, String pod, String reason) implements MaintenanceStep, Progress.OfTask {}

    record PutBack(String pod, String reason) implements MaintenanceStep, Progress.Brief {}

    /** Has etcd forget what was overwritten until now. */
    record Compact(Task task, String reason) implements MaintenanceStep, Progress.OfTask {}

    record Defragment(Task task, MemberId member, String reason) implements MaintenanceStep, Progress.OfTask {}

    /** Ends an alarm whose cause is gone. */
    record Disarm(Task task, AlarmView alarm, String reason) implements MaintenanceStep, Progress.OfTask {}

    /**
     * Commits a raft entry that changes neither keys nor revision.
     *
     * @param member the member that waits for it
     */
    record CommitEntry(MemberId member, String reason) implements MaintenanceStep, Progress.Brief {}

    /** Finds out whether all members have the same data; changes nothing. */
    record Compare(String reason) implements MaintenanceStep, Progress.Brief {}
}
