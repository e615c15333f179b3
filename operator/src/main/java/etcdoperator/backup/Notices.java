package etcdoperator.backup;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** What people are told of: the start, the end, and whatever holds up a backup, once each. */
final class Notices {
    private Notices() {}

    static Optional<Notice> of(EtcdBackup backup, Step step, EtcdBackupStatus before) {
        return switch (step) {
            case Step.Start() -> Optional.of(Notice.normal("BackupStarted", "Started an agent that takes the backup"));
            case Step.StopMember(var peer) -> Optional.of(Notice.warning("MemberStops", Report.stopping(peer)));
            case Step.Read(var peer) ->
                Optional.of(Notice.normal("BackupStarted", "Started an agent that reads the volume of " + peer));
            case Step.GiveBack() ->
                Optional.of(Notice.normal("MemberRuns", "The member whose volume was wanted may run again"));
            case Step.Complete(var since, var report, var claim) ->
                Optional.of(Notice.normal("BackupCompleted", Report.sentence(backup, report, claim)));
            case Step.Fail(var since, var why) -> Optional.of(Notice.warning("BackupFailed", why));
            case Step.Wait(var reason, var why, var since) ->
                reason.equals("AgentStarts") || reason.equals("MemberStops")
                        ? Optional.empty()
                        : once(before, Report.COMPLETE, reason, why);
            case Step.Hold(var reason, var why) ->
                reason.equals("Erasing") ? Optional.empty() : once(before, Report.ERASED, reason, why);
            case Step.Erase() ->
                Optional.of(Notice.normal("BackupErasing", "Started an agent that removes the stored backup"));
            case Step.SendAgain _ ->
                Optional.of(
                        Notice.warning(
                                "AgentUnheard",
                                "The agent ended well, but what it said is lost with its pod; another one is sent to store the same backup"));
            case Step.LetGo() -> Optional.empty();
            case Step.Rest _, Step.Bind _, Step.Follow _, Step.Dismiss _, Step.EraseAgain _ -> Optional.empty();
        };
    }

    private static Optional<Notice> once(EtcdBackupStatus before, String type, String reason, String why) {
        return before.conditions().stream()
                        .filter(known -> known.getType().equals(type))
                        .map(Condition::getMessage)
                        .anyMatch(why::equals)
                ? Optional.empty()
                : Optional.of(Notice.warning(reason, why));
    }
}
