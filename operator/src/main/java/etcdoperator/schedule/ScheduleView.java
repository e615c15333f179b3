package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackupScheduleSpec.ConcurrencyPolicy;
import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.Retention;
import etcdoperator.calendar.StoredBackup;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a pass knows of a schedule.
 *
 * @param due what the calendar says
 * @param formerWish the last one that was granted
 * @param wish a backup that somebody wants at once, and that was not taken yet
 */
record ScheduleView(
        String name,
        DueRun due,
        Optional<String> formerWish,
        Optional<String> wish,
        ConcurrencyPolicy policy,
        Retention retention,
        List<Made> backups,
        DrillView drill,
        Instant now) {

    /**
     * A backup of this schedule.
     *
     * @param source what it is a backup of
     * @param expired whether what is stored goes with it
     * @param held whether it waits for that before it goes
     * @param deleted whether it is going already
     */
    record Made(StoredBackup stored, String source, boolean expired, boolean held, boolean deleted) {
        String name() {
            return stored.name();
        }

        boolean isUnfinished() {
            return stored.outcome() instanceof StoredBackup.Unfinished && !deleted;
        }
    }

    List<String> active() {
        return backups.stream()
                .filter(Made::isUnfinished)
                .map(Made::name)
                .sorted()
                .toList();
    }

    boolean isMade(String backup) {
        return backups.stream().anyMatch(made -> made.name().equals(backup));
    }
}
