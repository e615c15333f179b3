package etcdoperator.schedule;

import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import etcdoperator.calendar.DueRun;
import etcdoperator.calendar.StoredBackup;
import etcdoperator.kube.BackupCache.ScheduleObjects;
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
                (int) goods(view).count(),
                plan.granted().orElse(before.lastBackupNow()),
                inForce,
                drill.status(),
                Stream.concat(Stream.of(ready(view, plan)), drill.condition().stream())
                        .toList());
    }

    /** Nothing is done until somebody acts. */
    EtcdBackupScheduleStatus stuck(String reason, String why) {
        return stuck(
                reason,
                why,
                before.drill(),
                before.conditions().stream().filter(known -> !known.getType().equals(READY)));
    }

    /** No backup is taken or let go until somebody acts; drills go on. */
    EtcdBackupScheduleStatus stuck(String reason, String why, DrillReport.Outcome drill) {
        return stuck(reason, why, drill.status(), drill.condition().stream());
    }

    private EtcdBackupScheduleStatus stuck(
            String reason, String why, @Nullable DrillStatus drill, Stream<Condition> others) {
        return new EtcdBackupScheduleStatus(
                before.lastScheduleTime(),
                before.lastSuccessTime(),
                before.nextScheduleTime(),
                before.active(),
                before.kept(),
                before.lastBackupNow(),
                before.inForce(),
                drill,
                Stream.concat(Stream.of(condition(false, reason, why)), others).toList());
    }

    private Condition ready(ScheduleView view, Plan plan) {
        if (plan.held().isPresent()) {
            return condition(true, "Delayed", plan.held().get());
        }
        return view.due() instanceof DueRun.Suspended
                ? condition(false, "Suspended", "spec.suspend is set: no backup is taken until it is removed")
                : condition(true, "Scheduled", "Backups are taken when they are due");
    }

    private Optional<Instant> lastSuccess(ScheduleView view) {
        return Stream.concat(goods(view), Stream.ofNullable(before.lastSuccessTime()))
                .max(Comparator.naturalOrder());
    }

    private static Stream<Instant> goods(ScheduleView view) {
        return view.backups().stream()
                .filter(made -> !made.deleted())
                .map(Made::stored)
                .map(StoredBackup::outcome)
                .flatMap(outcome -> switch (outcome) {
                    case StoredBackup.Good(var completed) -> Stream.of(completed);
                    case StoredBackup.Failed _, StoredBackup.Unfinished _ -> Stream.<Instant>empty();
                });
    }

    private Condition condition(boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = before.conditions().stream()
                .filter(known -> known.getType().equals(READY))
                .filter(known -> known.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
        return new ConditionBuilder()
                .withType(READY)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(schedule.getMetadata().getGeneration())
                .withLastTransitionTime(since)
                .build();
    }
}
