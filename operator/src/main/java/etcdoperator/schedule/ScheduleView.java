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
 * @param lastExpiry when stored backups were last marked to go
 * @param clockDoubt why nothing is removed by time
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
        Optional<Instant> lastExpiry,
        Optional<String> clockDoubt,
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

        /** When it completed, if it can be restored from and its age is known. */
        Optional<Instant> completed() {
            return stored.outcome() instanceof StoredBackup.Good(var time) ? Optional.of(time) : Optional.empty();
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

    Made made(String backup) {
        return backups.stream()
                .filter(made -> made.name().equals(backup))
                .findFirst()
                .orElseThrow();
    }

    boolean isFailed(String backup) {
        return made(backup).stored().outcome() instanceof StoredBackup.Failed;
    }

    boolean isMade(String backup) {
        return backups.stream().anyMatch(made -> made.name().equals(backup));
    }
}
