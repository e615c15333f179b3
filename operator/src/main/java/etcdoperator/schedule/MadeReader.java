package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSpec.BackupSource;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.calendar.StoredBackup;
import etcdoperator.domain.Clocks;
import etcdoperator.manifest.Labels;
import etcdoperator.schedule.ScheduleView.Made;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads what a schedule has made. Pure. */
final class MadeReader {
    /** A backup that completes later than this after its creation has the time of a clock that was ahead. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Instant now;

    MadeReader(Instant now) {
        this.now = now;
    }

    Made made(EtcdBackup backup) {
        return new Made(
                new StoredBackup(backup.getMetadata().getName(), outcome(backup), says(backup, Labels.PINNED)),
                source(backup.getSpec().source()),
                says(backup, Labels.EXPIRED),
                backup.getMetadata().getFinalizers().contains(Labels.STORED_BACKUP),
                backup.getMetadata().getDeletionTimestamp() != null);
    }

    /** Whatever the order in which endpoints are tried. */
    private static String source(BackupSource source) {
        return Objects.requireNonNullElseGet(
                source.cluster(), () -> source.endpoints().stream().sorted().collect(Collectors.joining(",")));
    }

    private StoredBackup.Outcome outcome(EtcdBackup backup) {
        EtcdBackupStatus known = Objects.requireNonNullElse(backup.getStatus(), EtcdBackupStatus.EMPTY);
        Instant ended = known.completionTime();
        if (ended == null) {
            return new StoredBackup.Unfinished();
        }
        Optional<Instant> created =
                Optional.ofNullable(backup.getMetadata().getCreationTimestamp()).map(Instant::parse);
        boolean dated = isCredible(ended, created);
        if (known.phase() == BackupPhase.COMPLETED) {
            return dated ? new StoredBackup.Good(ended) : new StoredBackup.Undated();
        }
        return new StoredBackup.Failed(dated ? ended : created.orElse(ended));
    }

    /**
     * The operator writes when a backup ended, and the API server when its object was made. Where these do not fit, one
     * of the two clocks was wrong, and the age of the backup is unknown.
     */
    private boolean isCredible(Instant ended, Optional<Instant> created) {
        Instant latest = now.plus(Clocks.BOUND);
        return !ended.isAfter(latest)
                && created.filter(made -> made.isAfter(latest)
                                || ended.isBefore(made.minus(Clocks.BOUND))
                                || ended.isAfter(made.plus(LONGEST)))
                        .isEmpty();
    }

    private static boolean says(EtcdBackup backup, String annotation) {
        return Optional.ofNullable(backup.getMetadata().getAnnotations())
                .map((Map<String, String> all) -> all.get(annotation))
                .filter("true"::equals)
                .isPresent();
    }
}
