package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.ArrayList;
import java.util.List;

/** What people are told of: each backup that is asked for, given up, held up, missed or let go. */
final class Notices {
    private Notices() {}

    static List<Notice> of(Plan plan, EtcdBackupScheduleStatus before) {
        List<Notice> notices = new ArrayList<>();
        plan.giveUp()
                .forEach(name -> notices.add(
                        Notice.warning("BackupReplaced", "Gave up EtcdBackup %s for the next one".formatted(name))));
        plan.start()
                .ifPresent(start -> notices.add(Notice.normal(
                        "BackupScheduled", "Made EtcdBackup %s: %s".formatted(start.name(), start.reason()))));
        if (plan.granted().isPresent() && plan.start().isEmpty()) {
            notices.add(
                    Notice.normal(
                            "BackupMade",
                            "There is an EtcdBackup for this value of the annotation backup-now already; give it a value that it never had for another one"));
        }
        plan.held()
                .filter(why ->
                        before.conditions().stream().map(Condition::getMessage).noneMatch(why::equals))
                .ifPresent(why -> notices.add(Notice.warning("BackupDelayed", why)));
        plan.missed().ifPresent(why -> notices.add(Notice.warning("BackupMissed", why)));
        plan.spare()
                .forEach(name ->
                        notices.add(Notice.normal("BackupSpared", "EtcdBackup %s is kept after all".formatted(name))));
        plan.remove()
                .forEach(gone -> notices.add(Notice.normal(
                        "BackupExpired", "Removing EtcdBackup %s: %s".formatted(gone.name(), gone.reason()))));
        return notices;
    }
}
