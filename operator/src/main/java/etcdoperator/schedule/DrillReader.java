package etcdoperator.schedule;

import etcdoperator.agentjob.AgentJobReader;
import etcdoperator.api.backup.DrillSpec;
import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.Schedule;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.manifest.DrillJobs;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.StoreKit;
import etcdoperator.restore.Errand;
import etcdoperator.restore.ErrandReader;
import etcdoperator.schedule.DrillView.Candidate;
import etcdoperator.schedule.DrillView.Recorded;
import etcdoperator.schedule.DrillView.Trial;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Makes of an EtcdBackupSchedule, its backups and the Jobs of its drills what is planned by. Pure. */
final class DrillReader {
    /** More than any watch that is alive lags behind. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final ScheduleObjects objects;
    private final EtcdBackupSchedule schedule;
    private final Optional<DrillSpec> spec;
    private final DrillStatus status;
    private final AllowedEndpoints endpoints;
    private final ZoneId zone;
    private final Instant now;

    /** @param endpoints of object stores to which agents may send credentials */
    DrillReader(ScheduleObjects objects, AllowedEndpoints endpoints, ZoneId zone, Instant now) {
        this.objects = objects;
        this.schedule = objects.schedule();
        this.spec = Optional.ofNullable(schedule.getSpec().drill());
        this.status = statusOf(schedule);
        this.endpoints = endpoints;
        this.zone = zone;
        this.now = now;
    }

    static DrillStatus statusOf(EtcdBackupSchedule schedule) {
        return Objects.requireNonNullElse(ScheduleReader.statusOf(schedule).drill(), DrillStatus.EMPTY);
    }

    DrillView view() {
        Optional<DueRun> due = Optional.empty();
        Optional<String> misread = Optional.empty();
        try {
            due = due();
        } catch (IllegalArgumentException e) {
            // Backups go on all the same.
            misread = Optional.of("spec.drill.schedule: " + e.getMessage());
        }
        return new DrillView(
                schedule.getMetadata().getName(),
                due,
                inForce(),
                misread,
                Optional.ofNullable(status.lastDrillNow()),
                wish(),
                newest(),
                recorded(),
                objects.drills().stream()
                        .sorted(Comparator.comparing(job -> job.getMetadata().getName()))
                        .map(this::trial)
                        .toList());
    }

    private Optional<DueRun> due() {
        return inForce()
                .map(followed -> new DueRun.Ledger(
                                Schedule.parse(spec.orElseThrow().schedule(), zone),
                                followed.since(),
                                Optional.ofNullable(status.lastScheduleTime()),
                                Optional.empty(),
                                Boolean.TRUE.equals(schedule.getSpec().suspend()))
                        .at(now));
    }

    /** Drills that were asked for later promise no run before the moment at which they were seen first. */
    private Optional<InForce> inForce() {
        return spec.map(drill -> drill.schedule() + " " + zone)
                .map(followed -> Optional.ofNullable(status.inForce())
                        .filter(known -> known.schedule().equals(followed))
                        .orElseGet(() -> new InForce(followed, now)));
    }

    private Optional<String> wish() {
        return Optional.ofNullable(schedule.getMetadata().getAnnotations())
                .map(all -> all.get(Labels.DRILL_NOW))
                .filter(value -> !value.equals(status.lastDrillNow()));
    }

    private Optional<Candidate> newest() {
        return objects.backups().stream()
                .filter(DrillReader::isThere)
                .max(Comparator.comparing(DrillReader::completed)
                        .thenComparing(backup -> backup.getMetadata().getName()))
                .map(backup -> new Candidate(backup.getMetadata().getName(), DrillJobs.obstacle(backup, endpoints)));
    }

    private static boolean isThere(EtcdBackup backup) {
        Map<String, String> annotations = backup.getMetadata().getAnnotations();
        return backup.getStatus() != null
                && backup.getStatus().phase() == BackupPhase.COMPLETED
                && backup.getMetadata().getDeletionTimestamp() == null
                && (annotations == null || !"true".equals(annotations.get(Labels.EXPIRED)));
    }

    private static Instant completed(EtcdBackup backup) {
        return Optional.ofNullable(backup.getStatus())
                .map(EtcdBackupStatus::completionTime)
                .orElse(Instant.MIN);
    }

    private Optional<Recorded> recorded() {
        Instant since = Objects.requireNonNullElse(status.startTime(), Instant.EPOCH);
        return Optional.ofNullable(status.result())
                .map(result -> new Recorded(
                        Objects.requireNonNullElse(status.job(), ""),
                        Objects.requireNonNullElse(status.backup(), ""),
                        result,
                        since,
                        now.isBefore(since.plus(FRESH))));
    }

    private Trial trial(Job job) {
        Errand errand = errand(job);
        return new Trial(
                job.getMetadata().getName(),
                DrillJobs.drilled(job),
                Instant.parse(job.getMetadata().getCreationTimestamp()),
                isRunning(errand),
                isRunning(errand)
                        ? forbidden(DrillJobs.drilled(job))
                                .<Errand>map(why -> new Errand.Failed(why, true))
                                .orElse(errand)
                        : errand);
    }

    private Errand errand(Job job) {
        return new AgentJobReader(job, objects.drillPods()).isLate()
                ? new Errand.Failed(
                        "it took longer than spec.drill.activeDeadline allows, or than an hour where"
                                + " that says nothing; give it more time, or see what holds it up",
                        true)
                : ErrandReader.read(job.getMetadata().getName(), objects.drills(), objects.drillPods());
    }

    private static boolean isRunning(Errand errand) {
        return errand instanceof Errand.Sent;
    }

    /** A drill that a former version of the operator began may log in where this one lets none. */
    private Optional<String> forbidden(String backup) {
        return objects.backups().stream()
                .filter(one -> one.getMetadata().getName().equals(backup))
                .findFirst()
                .flatMap(one -> StoreKit.obstacle(one.getSpec().destination(), endpoints));
    }
}
