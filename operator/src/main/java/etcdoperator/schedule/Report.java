package etcdoperator.schedule;

import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.StoredBackup;
import etcdoperator.domain.Clocks;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.schedule.Plan.Restraint;
import etcdoperator.schedule.ScheduleView.Made;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a plan makes of a schedule's status. Pure. */
final class Report {
    static final String RETENTION = "RetentionApplied";

    private static final String READY = "Ready";

    private final EtcdBackupSchedule schedule;
    private final EtcdBackupScheduleStatus before;
    private final Instant now;

    Report(ScheduleObjects objects, Instant now) {
        this.schedule = objects.schedule();
        this.before = ScheduleReader.statusOf(schedule);
        this.now = now;
    }

    EtcdBackupScheduleStatus of(ScheduleView view, Plan plan, InForce inForce, DrillReport.Outcome drill) {
        List<String> active = Stream.concat(
                        view.active().stream().filter(name -> !plan.giveUp().contains(name)),
                        plan.start().map(Plan.Start::name).stream())
                .sorted()
                .toList();
        return new EtcdBackupScheduleStatus(
                plan.settled().orElse(before.lastScheduleTime()),
                lastSuccess(view).orElse(before.lastSuccessTime()),
                view.due().next().orElse(null),
                active,
                (int) stored(view).count(),
                plan.granted().orElse(before.lastBackupNow()),
                inForce,
                drill.status(),
                before.installation(),
                lastExpiry(view, plan),
                Stream.concat(Stream.of(ready(view, plan), retention(plan)), drill.condition().stream())
                        .toList());
    }

    /** Nothing is done until somebody acts. */
    EtcdBackupScheduleStatus stuck(String reason, String why) {
        return stuck(
                reason,
                why,
                before.drill(),
                before.lastExpiryTime(),
                before.conditions().stream().filter(known -> !known.getType().equals(READY)));
    }

    /** No backup is taken or let go until somebody acts; drills go on. Some may have expired before that was refused. */
    EtcdBackupScheduleStatus stuck(String reason, String why, ScheduleView view, Plan plan, DrillReport.Outcome drill) {
        return stuck(
                reason,
                why,
                drill.status(),
                lastExpiry(view, plan),
                Stream.concat(
                        before.conditions().stream()
                                .filter(known -> known.getType().equals(RETENTION)),
                        drill.condition().stream()));
    }

    private EtcdBackupScheduleStatus stuck(
            String reason,
            String why,
            @Nullable DrillStatus drill,
            @Nullable Instant lastExpiry,
            Stream<Condition> others) {
        return new EtcdBackupScheduleStatus(
                before.lastScheduleTime(),
                before.lastSuccessTime(),
                before.nextScheduleTime(),
                before.active(),
                before.kept(),
                before.lastBackupNow(),
                before.inForce(),
                drill,
                before.installation(),
                lastExpiry,
                Stream.concat(Stream.of(condition(READY, false, reason, why)), others)
                        .toList());
    }

    private Condition ready(ScheduleView view, Plan plan) {
        if (plan.held().isPresent()) {
            return condition(READY, true, "Delayed", plan.held().get());
        }
        return view.due() instanceof DueRun.Suspended
                ? condition(READY, false, "Suspended", "spec.suspend is set: no backup is taken until it is removed")
                : condition(READY, true, "Scheduled", "Backups are taken when they are due");
    }

    private @Nullable Instant lastExpiry(ScheduleView view, Plan plan) {
        return plan.expire().stream().allMatch(one -> view.isFailed(one.name()))
                ? before.lastExpiryTime()
                : now.truncatedTo(ChronoUnit.SECONDS);
    }

    private Condition retention(Plan plan) {
        return plan.restraint()
                .map(restraint -> condition(
                        RETENTION,
                        restraint.reason() != Restraint.Reason.ClocksDisagree,
                        restraint.reason().name(),
                        restraint.why()))
                .orElseGet(() -> condition(RETENTION, true, "AsExpected", "Backups that no rule keeps are removed"));
    }

    private Optional<Instant> lastSuccess(ScheduleView view) {
        return Stream.concat(
                        stored(view).flatMap(made -> made.completed().stream()),
                        Stream.ofNullable(before.lastSuccessTime())
                                .filter(time -> !time.isAfter(now.plus(Clocks.BOUND))))
                .max(Comparator.naturalOrder());
    }

    private static Stream<Made> stored(ScheduleView view) {
        return view.backups().stream().filter(made -> !made.deleted()).filter(made -> switch (made.stored()
                .outcome()) {
            case StoredBackup.Good _, StoredBackup.Undated _ -> true;
            case StoredBackup.Failed _, StoredBackup.Unfinished _ -> false;
        });
    }

    private Condition condition(String type, boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = before.conditions().stream()
                .filter(known -> known.getType().equals(type))
                .filter(known -> known.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(schedule.getMetadata().getGeneration())
                .withLastTransitionTime(since)
                .build();
    }
}
