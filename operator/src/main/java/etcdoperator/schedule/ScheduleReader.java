package etcdoperator.schedule;

import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleSpec;
import etcdoperator.api.backup.EtcdBackupScheduleSpec.ConcurrencyPolicy;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.api.backup.RetentionSpec;
import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.Retention;
import etcdoperator.calendar.RetentionPolicy;
import etcdoperator.calendar.Schedule;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.domain.Clocks;
import etcdoperator.domain.TimeSpan;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.manifest.Labels;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes of an EtcdBackupSchedule and its backups what the planner sees. Pure. */
final class ScheduleReader {
    private final EtcdBackupSchedule object;
    private final EtcdBackupScheduleSpec spec;
    private final EtcdBackupScheduleStatus status;
    private final ScheduleObjects objects;
    private final AllowedEndpoints endpoints;
    private final Clocks clocks;
    private final Instant now;

    /** @param endpoints of object stores to which agents may send credentials */
    ScheduleReader(ScheduleObjects objects, AllowedEndpoints endpoints, Clocks clocks) {
        this.objects = objects;
        this.object = objects.schedule();
        this.spec = object.getSpec();
        this.status = statusOf(object);
        this.endpoints = endpoints;
        this.clocks = clocks;
        this.now = clocks.local();
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
                objects.backups().stream().map(new MadeReader(now)::made).toList(),
                new DrillReader(objects, endpoints, zone, now).view(),
                Optional.ofNullable(status.lastExpiryTime()),
                clocks.doubt(),
                now);
    }

    /** Another schedule promises no run before the moment at which it was seen first. */
    InForce inForce() {
        String followed = spec.schedule() + " " + Objects.requireNonNullElse(spec.timeZone(), "UTC");
        return Optional.ofNullable(status.inForce())
                .map(known -> known.schedule().equals(followed) && !isAhead(known) ? known : new InForce(followed, now))
                .orElseGet(() ->
                        new InForce(followed, Instant.parse(object.getMetadata().getCreationTimestamp())));
    }

    /** It was written by a clock that was ahead, and would hold up all backups until that time. */
    private boolean isAhead(InForce known) {
        return clocks.doubt().isEmpty() && known.since().isAfter(now.plus(Clocks.BOUND));
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
