package etcdoperator.schedule;

import etcdoperator.agentjob.AgentJobReader;
import etcdoperator.api.backup.DrillSpec;
import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
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
                        .map(job -> DrillJobs.drillOf(
                                schedule.getMetadata().getName(),
                                job.getMetadata().getName()))
                        .distinct()
                        .sorted()
                        .map(this::trial)
                        .toList(),
                objects.drillClaims().stream()
                        .filter(claim -> claim.getMetadata().getDeletionTimestamp() == null)
                        .map(claim -> claim.getMetadata().getName())
                        .sorted()
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
                .max(Comparator.comparing(this::completed)
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

    /** One whose age is unknown may be older than all others. */
    private Instant completed(EtcdBackup backup) {
        return new MadeReader(now).made(backup).completed().orElse(Instant.MIN);
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

    private Trial trial(String drill) {
        Optional<Job> fetch = job(DrillJobs.fetching(schedule.getMetadata().getName(), drill));
        Optional<Job> restore = job(drill);
        Job first = fetch.or(() -> restore).orElseThrow();
        Errand last = restore.map(this::errand).orElseGet(() -> fetching(first));
        boolean fetched = restore.isEmpty() && last instanceof Errand.Done;
        boolean logsIn = !fetched && (restore.isEmpty() || fetch.isEmpty());
        Errand errand = fetched ? new Errand.Sent(Optional.empty()) : last;
        boolean running = errand instanceof Errand.Sent;
        String backup = DrillJobs.drilled(first);
        Optional<String> obstacle = running && logsIn ? forbidden(backup) : fetched ? gone(backup) : Optional.empty();
        return new Trial(
                drill,
                backup,
                Instant.parse(first.getMetadata().getCreationTimestamp()),
                running,
                fetched,
                obstacle.<Errand>map(why -> new Errand.Failed(why, true)).orElse(errand));
    }

    private Optional<Job> job(String name) {
        return objects.drills().stream()
                .filter(job -> job.getMetadata().getName().equals(name))
                .findFirst();
    }

    private Errand errand(Job job) {
        return late(job)
                .orElseGet(() -> ErrandReader.read(job.getMetadata().getName(), objects.drills(), objects.drillPods()));
    }

    private Errand fetching(Job job) {
        return late(job)
                .orElseGet(() -> ErrandReader.readUntilComplete(
                        job.getMetadata().getName(), objects.drills(), objects.drillPods()));
    }

    private Optional<Errand> late(Job job) {
        return new AgentJobReader(job, objects.drillPods()).isLate()
                ? Optional.of(new Errand.Failed(
                        "it took longer than spec.drill.activeDeadline allows, or than an hour where"
                                + " that says nothing; give it more time, or see what holds it up",
                        true))
                : Optional.empty();
    }

    /** A drill that a former version of the operator began may log in where this one lets none. */
    private Optional<String> forbidden(String backup) {
        return backup(backup).flatMap(one -> StoreKit.obstacle(one.getSpec().destination(), endpoints));
    }

    /** What is to be compared was recorded with it. */
    private Optional<String> gone(String backup) {
        return backup(backup).isPresent()
                ? Optional.empty()
                : Optional.of(
                        "it was deleted before it was restored; ask for another drill with the annotation drill-now");
    }

    private Optional<EtcdBackup> backup(String name) {
        return objects.backups().stream()
                .filter(one -> one.getMetadata().getName().equals(name))
                .findFirst();
    }
}
