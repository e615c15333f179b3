package etcdoperator.backup;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a step makes of a backup's status. Pure. */
final class Report {
    static final String COMPLETE = "Complete";
    static final String ERASED = "Erased";

    private final EtcdBackup backup;
    private final EtcdBackupStatus before;
    private final @Nullable Long generation;
    private final Instant now;

    private Report(EtcdBackup backup, Instant now) {
        this.backup = backup;
        this.before = statusOf(backup);
        this.generation = backup.getMetadata().getGeneration();
        this.now = now.truncatedTo(ChronoUnit.SECONDS);
    }

    static EtcdBackupStatus statusOf(EtcdBackup backup) {
        return Objects.requireNonNullElse(backup.getStatus(), EtcdBackupStatus.EMPTY);
    }

    static EtcdBackupStatus of(EtcdBackup backup, Step step, Instant now) {
        return new Report(backup, now).after(step);
    }

    private EtcdBackupStatus after(Step step) {
        return switch (step) {
            case Step.Wait(var reason, var why, var since) ->
                // Between two attempts it has begun all the same.
                status(
                        before.phase() == BackupPhase.RUNNING ? BackupPhase.RUNNING : BackupPhase.PENDING,
                        Optional.empty(),
                        since,
                        null,
                        complete(false, reason, why));
            case Step.Start() -> begun("AgentStarts", "The agent's pod is being started");
            case Step.StopMember(var peer) -> begun("MemberStops", stopping(peer));
            case Step.Read(var peer) ->
                begun("AgentStarts", "The agent that reads the volume of %s is being started".formatted(peer));
            case Step.Follow(var since, var address, var progress, var claim) ->
                status(
                        BackupPhase.RUNNING,
                        progress,
                        Optional.of(since),
                        null,
                        complete(
                                false,
                                "Running",
                                claim.map("The agent reads claim %s, whose member stands still for it"::formatted)
                                        .orElse("The agent takes the backup")));
            case Step.Complete(var since, var report, var claim) ->
                status(
                        BackupPhase.COMPLETED,
                        Optional.of(report),
                        Optional.of(since),
                        now,
                        complete(true, "Completed", sentence(backup, report, claim)));
            case Step.Fail(var since, var why) ->
                status(BackupPhase.FAILED, Optional.empty(), since, now, complete(false, "Failed", why));
            case Step.Hold(var reason, var why) -> with(condition(ERASED, false, reason, why));
            case Step.Erase() -> with(condition(ERASED, false, "Erasing", "The stored backup is being removed"));
            case Step.Rest _,
                    Step.Bind _,
                    Step.GiveBack _,
                    Step.Dismiss _,
                    Step.EraseAgain _,
                    Step.SendAgain _,
                    Step.LetGo _ -> before;
        };
    }

    /** An agent knows a folder, but not whose volume it is on. */
    private static String url(EtcdBackup backup, AgentReport report) {
        return Optional.ofNullable(backup.getSpec().destination().volume())
                .map(volume -> "volume://" + volume.claimName() + "/" + report.path())
                .orElse(String.valueOf(report.objectURL()));
    }

    static String sentence(EtcdBackup backup, AgentReport report, Optional<String> claim) {
        return "Stored revision %d of etcd %s, %d bytes, as %s, and verified it%s"
                .formatted(
                        report.revision(),
                        report.etcdVersion(),
                        report.sizeBytes(),
                        url(backup, report),
                        claim.map(Report::caveat).orElse(""));
    }

    private static String caveat(String claim) {
        return "; it is from the volume of claim %s, because no member could be asked: writes that had not reached that member's database are not in it"
                .formatted(claim);
    }

    static String stopping(String peer) {
        return "No member can be asked; %s stands still until its volume is read instead".formatted(peer);
    }

    private EtcdBackupStatus begun(String reason, String why) {
        return status(BackupPhase.PENDING, Optional.empty(), Optional.of(now), null, complete(false, reason, why));
    }

    private EtcdBackupStatus status(
            BackupPhase phase,
            Optional<AgentReport> report,
            Optional<Instant> since,
            @Nullable Instant ended,
            Condition complete) {
        boolean done = phase == BackupPhase.COMPLETED;
        return new EtcdBackupStatus(
                phase,
                done ? report.map(said -> url(backup, said)).orElse(null) : before.objectURL(),
                done ? report.map(AgentReport::path).orElse(null) : before.path(),
                report.map(AgentReport::revision).orElse(before.revision()),
                report.map(AgentReport::sizeBytes).orElse(before.sizeBytes()),
                report.map(AgentReport::transferredBytes).orElse(before.transferredBytes()),
                done ? report.map(AgentReport::sha256).orElse(null) : before.sha256(),
                report.map(AgentReport::etcdVersion).orElse(before.etcdVersion()),
                contents(report, Contents::hashKV).orElse(before.hashKV()),
                contents(report, Contents::keys).orElse(before.keys()),
                contents(report, Contents::compactRevision).orElse(before.compactRevision()),
                // As the first agent was told, or else another one would store another object.
                before.startTime() != null ? before.startTime() : since.orElse(null),
                ended,
                conditions(complete));
    }

    private static Optional<Long> contents(Optional<AgentReport> report, Function<Contents, Long> what) {
        return report.flatMap(said -> Optional.ofNullable(said.contents())).map(what);
    }

    private EtcdBackupStatus with(Condition changed) {
        return new EtcdBackupStatus(
                before.phase(),
                before.objectURL(),
                before.path(),
                before.revision(),
                before.sizeBytes(),
                before.transferredBytes(),
                before.sha256(),
                before.etcdVersion(),
                before.hashKV(),
                before.keys(),
                before.compactRevision(),
                before.startTime(),
                before.completionTime(),
                conditions(changed));
    }

    private List<Condition> conditions(Condition changed) {
        Stream<Condition> others =
                before.conditions().stream().filter(known -> !known.getType().equals(changed.getType()));
        return Stream.concat(others, Stream.of(changed)).toList();
    }

    private Condition complete(boolean holds, String reason, String message) {
        return condition(COMPLETE, holds, reason, message);
    }

    private Condition condition(String type, boolean holds, String reason, String message) {
        String status = holds ? "True" : "False";
        String since = before.conditions().stream()
                .filter(known ->
                        known.getType().equals(type) && known.getStatus().equals(status))
                .map(Condition::getLastTransitionTime)
                .findFirst()
                .orElseGet(now::toString);
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withObservedGeneration(generation)
                .withLastTransitionTime(since)
                .build();
    }
}
