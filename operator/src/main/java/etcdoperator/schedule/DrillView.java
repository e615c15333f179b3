package etcdoperator.schedule;

import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.calendar.DueRun;
import etcdoperator.restore.Errand;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a pass knows of the drills of a schedule.
 *
 * @param due what the calendar says; nothing where no drills are asked for by the clock
 * @param inForce the crontab that is followed, and since when
 * @param misread what is wrong with the crontab that the API server could not tell
 * @param formerWish the last one that was granted
 * @param wish a drill that somebody wants at once, and that was not started yet
 * @param newest the backup to try
 * @param recorded what status says of the last one
 * @param trials the Jobs that are there
 */
record DrillView(
        String schedule,
        Optional<DueRun> due,
        Optional<InForce> inForce,
        Optional<String> misread,
        Optional<String> formerWish,
        Optional<String> wish,
        Optional<Candidate> newest,
        Optional<Recorded> recorded,
        List<Trial> trials) {

    /** @param obstacle why it cannot even be tried */
    record Candidate(String backup, Optional<String> obstacle) {}

    /** A drill on record. @param fresh whether it began so lately that no watch may have brought its Job yet */
    record Recorded(String job, String backup, DrillResult result, Instant since, boolean fresh) {}

    /** A drill that was started. @param running whether its Job still is, whatever is made of it */
    record Trial(String job, String backup, Instant since, boolean running, Errand errand) {}

    /** One that nobody has written down the end of. */
    Optional<Trial> current() {
        return trials.stream().filter(trial -> !isRecorded(trial)).findFirst();
    }

    Optional<Trial> leftover() {
        return trials.stream().filter(this::isRecorded).findFirst();
    }

    private boolean isRecorded(Trial trial) {
        return recorded.filter(known -> known.result() != DrillResult.RUNNING)
                .filter(known -> known.job().equals(trial.job()))
                .isPresent();
    }

    /** What must not be removed meanwhile. */
    Optional<String> underWay() {
        return current()
                .map(Trial::backup)
                .or(() -> recorded.filter(known -> known.result() == DrillResult.RUNNING)
                        .map(Recorded::backup));
    }
}
