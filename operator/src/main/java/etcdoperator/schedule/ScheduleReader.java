package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleSpec;
import etcdoperator.api.backup.EtcdBackupScheduleSpec.ConcurrencyPolicy;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.api.backup.EtcdBackupSpec.BackupSource;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.api.backup.RetentionSpec;
import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.Retention;
import etcdoperator.calendar.RetentionPolicy;
import etcdoperator.calendar.Schedule;
import etcdoperator.calendar.StoredBackup;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.domain.TimeSpan;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.schedule.ScheduleView.Made;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes of an EtcdBackupSchedule and its backups what the planner sees. Pure. */
final class ScheduleReader {
    private final EtcdBackupSchedule object;
    private final EtcdBackupScheduleSpec spec;
    private final EtcdBackupScheduleStatus status;
    private final ScheduleObjects objects;
    private final AllowedEndpoints endpoints;
    private final Instant now;

    /** @param endpoints of object stores to which agents may send credentials */
    ScheduleReader(ScheduleObjects objects, AllowedEndpoints endpoints, Instant now) {
        this.objects = objects;
        this.object = objects.schedule();
        this.spec = object.getSpec();
        this.status = statusOf(object);
        this.endpoints = endpoints;
        this.now = now;
    }

    static EtcdBackupScheduleStatus statusOf(EtcdBackupSchedule schedule) {
        return Objects.requireNonNullElse(schedule.getStatus(), EtcdBackupScheduleStatus.EMPTY);
    }

    /** @throws IllegalArgumentException in words for users: what the API server could not tell of the spec */
    ScheduleView view() {
        ZoneId zone = zone();
        return new ScheduleView(
                object.getMetadata().getName(),
                new DueRun.Ledger(
                                Schedule.parse(spec.schedule(), zone),
                                inForce().since(),
                                Optional.ofNullable(status.lastScheduleTime()),
                                Optional.ofNullable(spec.startingDeadline()).map(TimeSpan::parse),
                                Boolean.TRUE.equals(spec.suspend()))
                        .at(now),
                Optional.ofNullable(status.lastBackupNow()),
                wish(),
                Objects.requireNonNullElse(spec.concurrencyPolicy(), ConcurrencyPolicy.FORBID),
                new Retention(policy(spec.retention()), zone),
                objects.backups().stream().map(ScheduleReader::made).toList(),
                new DrillReader(objects, endpoints, zone, now).view(),
                now);
    }

    /** Another schedule promises no run before the moment at which it was seen first. */
    InForce inForce() {
        String followed = spec.schedule() + " " + Objects.requireNonNullElse(spec.timeZone(), "UTC");
        return Optional.ofNullable(status.inForce())
                .map(known -> known.schedule().equals(followed) ? known : new InForce(followed, now))
                .orElseGet(() ->
                        new InForce(followed, Instant.parse(object.getMetadata().getCreationTimestamp())));
    }

    private ZoneId zone() {
        String name = Objects.requireNonNullElse(spec.timeZone(), "UTC");
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "spec.timeZone '%s' is not a time zone that is known: write one such as Europe/Berlin"
                            .formatted(name),
                    e);
        }
    }

    private Optional<String> wish() {
        return annotation(object.getMetadata().getAnnotations(), Labels.BACKUP_NOW)
                .filter(value -> !value.equals(status.lastBackupNow()));
    }

    private static Made made(EtcdBackup backup) {
        Map<String, String> annotations = backup.getMetadata().getAnnotations();
        boolean pinned =
                annotation(annotations, Labels.PINNED).filter("true"::equals).isPresent();
        return new Made(
                new StoredBackup(backup.getMetadata().getName(), outcome(backup), pinned),
                source(backup.getSpec().source()),
                annotation(annotations, Labels.EXPIRED).filter("true"::equals).isPresent(),
                backup.getMetadata().getFinalizers().contains(Labels.STORED_BACKUP),
                backup.getMetadata().getDeletionTimestamp() != null);
    }

    /** Whatever the order in which endpoints are tried. */
    private static String source(BackupSource source) {
        return Objects.requireNonNullElseGet(
                source.cluster(), () -> source.endpoints().stream().sorted().collect(Collectors.joining(",")));
    }

    private static StoredBackup.Outcome outcome(EtcdBackup backup) {
        EtcdBackupStatus known = Objects.requireNonNullElse(backup.getStatus(), EtcdBackupStatus.EMPTY);
        Instant ended = known.completionTime();
        if (ended == null) {
            return new StoredBackup.Unfinished();
        }
        return known.phase() == BackupPhase.COMPLETED ? new StoredBackup.Good(ended) : new StoredBackup.Failed(ended);
    }

    private static Optional<String> annotation(@Nullable Map<String, String> annotations, String name) {
        return Optional.ofNullable(annotations).map(all -> all.get(name));
    }

    private static RetentionPolicy policy(@Nullable RetentionSpec spec) {
        return spec == null
                ? RetentionPolicy.KEEP_EVERYTHING
                : new RetentionPolicy(
                        count(spec.keepLast()),
                        count(spec.hourly()),
                        count(spec.daily()),
                        count(spec.weekly()),
                        count(spec.monthly()),
                        Optional.ofNullable(spec.maxAge()).map(TimeSpan::parse),
                        spec.daysOfPreviousMonth());
    }

    private static int count(@Nullable Integer given) {
        return given == null ? 0 : given;
    }
}
