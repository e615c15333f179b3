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

    /** Keeps clients away from pods whose members are not those that their claims say. */
    record KeepOut(List<String> pods, String reason) implements MaintenanceStep, Progress.Brief {}

    record PutBack(String pod, String reason) implements MaintenanceStep, Progress.Brief {}

    /** Has etcd forget what was overwritten until now. */
    record Compact(Task task, String reason) implements MaintenanceStep, Progress.OfTask {}

    record Defragment(Task task, MemberId member, String reason) implements MaintenanceStep, Progress.OfTask {}

    /** Ends an alarm whose cause is gone. */
    record Disarm(Task task, AlarmView alarm, String reason) implements MaintenanceStep, Progress.OfTask {}

    /** Finds out whether all members have the same data; changes nothing. */
    record Compare(String reason) implements MaintenanceStep, Progress.Brief {}
}
