package etcdoperator.schedule;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.DrillStatus.DrillResult;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.calendar.DueRun;
import etcdoperator.kube.Notice;
import etcdoperator.schedule.DrillPlan.Step;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a plan makes of what is on record of drills, and what people are told. Pure. */
final class DrillReport {
    static final String DRILLED = "Drilled";

    private final EtcdBackupSchedule schedule;
    private final DrillStatus before;
    private final Optional<Condition> said;
    private final Instant now;

    DrillReport(EtcdBackupSchedule schedule, Instant now) {
        this.schedule = schedule;
        this.before = DrillReader.statusOf(schedule);
        this.said = ScheduleReader.statusOf(schedule).conditions().stream()
                .filter(condition -> condition.getType().equals(DRILLED))
                .findFirst();
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    /** @param status null where nothing was ever asked for */
    record Outcome(@Nullable DrillStatus status, Optional<Condition> condition, Optional<Notice> notice) {}

    Outcome of(DrillView view, DrillPlan plan) {
        DrillStatus after = status(view, plan);
        return new Outcome(
                after.equals(DrillStatus.EMPTY) ? null : after, condition(plan.step(), after), notice(plan.step()));
    }

    private DrillStatus status(DrillView view, DrillPlan plan) {
        Run run = run(plan.step());
        return new DrillStatus(
                run.result(),
                run.backup(),
                run.job(),
                run.revision(),
                run.keys(),
                run.message(),
                run.startTime(),
                run.ended() ? now : before.lastTime(),
                run.ended() && run.result() == DrillResult.PASSED ? now : before.lastSuccessTime(),
                view.due().flatMap(DueRun::next).orElse(null),
                plan.settled().orElse(before.lastScheduleTime()),
                plan.granted().orElse(before.lastDrillNow()),
                view.inForce().orElse(null));
    }

    /** One drill. @param ended just now */
    private record Run(
            @Nullable DrillResult result,
            @Nullable String backup,
            @Nullable String job,
            @Nullable Long revision,
            @Nullable Long keys,
            @Nullable String message,
            @Nullable Instant startTime,
            boolean ended) {}

    private Run run(Step step) {
        return switch (step) {
            case Step.Rest _, Step.Held _, Step.Dismiss _ ->
                new Run(
                        before.result(),
                        before.backup(),
                        before.job(),
                        before.revision(),
                        before.keys(),
                        before.message(),
                        before.startTime(),
                        false);
            case Step.Start(var job, var backup, var why) -> running(job, backup, now, Optional.empty());
            case Step.Follow(var job, var backup, var since, var trouble) -> running(job, backup, since, trouble);
            case Step.Pass(var job, var backup, var since, var report) ->
                new Run(
                        DrillResult.PASSED,
                        backup,
                        job,
                        report.revision(),
                        keys(report),
                        sentence(step),
                        since.orElse(now),
                        true);
            case Step.Fail(var job, var backup, var since, var why) ->
                new Run(DrillResult.FAILED, backup, job, null, null, sentence(step), since.orElse(now), true);
        };
    }

    private static Run running(String job, String backup, Instant since, Optional<String> trouble) {
        String message = trouble.orElse("EtcdBackup %s is being restored into a throw-away etcd".formatted(backup));
        return new Run(DrillResult.RUNNING, backup, job, null, null, message, since, false);
    }

    private static @Nullable Long keys(AgentReport report) {
        return Optional.ofNullable(report.contents()).map(Contents::keys).orElse(null);
    }

    /** The one that status, condition, Event and log have in common. */
    private static String sentence(Step step) {
        return switch (step) {
            case Step.Rest _, Step.Dismiss _, Step.Follow _ -> "";
            case Step.Held(var reason, var why) -> why;
            case Step.Start(var job, var backup, var why) ->
                "Restoring EtcdBackup %s into a throw-away etcd: %s".formatted(backup, why);
            case Step.Pass(var job, var backup, var since, var report) ->
                "EtcdBackup %s was restored into a throw-away etcd and read back: %s"
                        .formatted(backup, Objects.requireNonNullElse(report.message(), "it holds what it should"));
            case Step.Fail(var job, var backup, var since, var why) ->
                "EtcdBackup %s did not pass its drill: %s".formatted(backup, why);
        };
    }

    private Optional<Condition> condition(Step step, DrillStatus after) {
        if (step instanceof Step.Held(var reason, var why)) {
            return Optional.of(condition("Unknown", reason, why));
        }
        DrillResult result = after.result();
        if (result == null) {
            return Optional.ofNullable(after.nextTime())
                    .map(next -> condition(
                            "Unknown",
                            "NotYet",
                            "No backup was tried yet; the first drill is due at %s".formatted(next)));
        }
        String message = Objects.requireNonNullElse(after.message(), "");
        return Optional.of(
                switch (result) {
                    case PASSED -> condition("True", "Passed", message);
                    case FAILED -> condition("False", "Failed", message);
                    // What the one before came to holds until this one has ended.
                    case RUNNING ->
                        said.filter(known -> !"Unknown".equals(known.getStatus()))
                                .orElseGet(() -> condition("Unknown", "Running", message));
                });
    }

    private Condition condition(String status, String reason, String message) {
        String since = said.filter(known -> known.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .orElseGet(now::toString);
        return new ConditionBuilder()
                .withType(DRILLED)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(schedule.getMetadata().getGeneration())
                .withLastTransitionTime(since)
                .build();
    }

    private Optional<Notice> notice(Step step) {
        String sentence = sentence(step);
        return switch (step) {
            case Step.Rest _, Step.Dismiss _, Step.Follow _ -> Optional.empty();
            case Step.Start _ -> Optional.of(Notice.normal("DrillStarted", sentence));
            case Step.Pass _ -> Optional.of(Notice.normal("DrillPassed", sentence));
            case Step.Fail _ -> Optional.of(Notice.warning("DrillFailed", sentence));
            case Step.Held _ ->
                said.map(Condition::getMessage).filter(sentence::equals).isPresent()
                        ? Optional.empty()
                        : Optional.of(Notice.warning("DrillDelayed", sentence));
        };
    }
}
