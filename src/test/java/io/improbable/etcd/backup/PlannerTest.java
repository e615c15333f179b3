package io.improbable.etcd.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.agentreport.AgentReport;
import io.improbable.etcd.api.EtcdBackupStatus.BackupPhase;
import io.improbable.etcd.backup.BackupView.Keeping;
import io.improbable.etcd.backup.BackupView.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
    private static final Instant NOW = GivenBackup.NOW;
    private static final Keeping KEPT = new Keeping(false, false, false, false);
    private static final Keeping HELD = new Keeping(true, false, true, false);
    private static final Readiness READY = new Readiness.Ready();
    private static final Errand NOBODY = new Errand.NotSent();
    private static final Errand STARTING = new Errand.Awaited(NOW, Optional.empty());
    private static final Errand STUCK = new Errand.Awaited(NOW, Optional.of("no claim"));
    private static final Errand AT_WORK = new Errand.AtWork(NOW, Optional.of("10.0.0.9"), Optional.empty());
    private static final AgentReport REPORT = new AgentReport(
            AgentReport.State.COMPLETED,
            "stored",
            "s3://b/p",
            "p",
            7L,
            100L,
            100L,
            100L,
            "abc",
            "3.6.16",
            NOW,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    private static final Errand DONE = new Errand.Done(NOW, REPORT);
    private static final Errand MUTE = new Errand.Mute(NOW);
    private static final Errand FAILED = new Errand.Failed(NOW, NOW, "denied", false);

    static Stream<Arguments> living() {
        return Stream.of(
                Arguments.of("nothing in the way: go", view(READY, NOBODY, KEPT), new Step.Start()),
                Arguments.of(
                        "what is missing is waited for",
                        view(new Readiness.NotYet("SecretMissing", "create it"), NOBODY, KEPT),
                        new Step.Wait("SecretMissing", "create it", Optional.empty())),
                Arguments.of(
                        "what goes with the object is written down before a byte is stored",
                        view(READY, NOBODY, new Keeping(true, true, false, false)),
                        new Step.Bind(true, true)),
                Arguments.of(
                        "and taken back when it is to stay",
                        view(READY, NOBODY, new Keeping(false, false, true, true)),
                        new Step.Bind(false, false)),
                Arguments.of(
                        "a pod that starts needs no attention",
                        view(READY, STARTING, KEPT),
                        new Step.Wait("AgentStarts", "The agent's pod is being started", Optional.of(NOW))),
                Arguments.of(
                        "one that cannot start does",
                        view(READY, STUCK, KEPT),
                        new Step.Wait("AgentWaits", "no claim", Optional.of(NOW))),
                Arguments.of(
                        "an agent at work is followed",
                        view(READY, AT_WORK, KEPT),
                        new Step.Follow(NOW, Optional.of("10.0.0.9"), Optional.empty(), Optional.empty())),
                Arguments.of(
                        "its word counts", view(READY, DONE, KEPT), new Step.Complete(NOW, REPORT, Optional.empty())),
                Arguments.of(
                        "and so does its failure",
                        view(READY, FAILED, KEPT),
                        new Step.Fail(Optional.of(NOW), "denied")),
                Arguments.of(
                        "where it is stored must be known, or nobody can restore it",
                        view(READY, MUTE, KEPT),
                        new Step.SendAgain(NOW)),
                Arguments.of(
                        "what is written down may not be done yet",
                        GivenBackup.of(READY, MUTE, KEPT).unheard(NOW).view(),
                        new Step.SendAgain(NOW)),
                Arguments.of(
                        "twice is enough",
                        GivenBackup.of(READY, MUTE, KEPT)
                                .unheard(NOW.minusSeconds(60))
                                .view(),
                        new Step.Fail(
                                Optional.of(NOW),
                                "Two agents ended well, but what they said is lost with their pods, and so is where the"
                                        + " backup is; see who deletes these pods, and take another one")),
                Arguments.of(
                        "finished is finished, whatever became of the Job",
                        finished(BackupPhase.COMPLETED, true, NOBODY, KEPT),
                        new Step.Rest()),
                Arguments.of(
                        "failed is finished, too", finished(BackupPhase.FAILED, false, NOBODY, KEPT), new Step.Rest()),
                Arguments.of(
                        "a finished one may still get another fate",
                        finished(BackupPhase.COMPLETED, true, NOBODY, new Keeping(true, false, false, false)),
                        new Step.Bind(true, false)));
    }

    static Stream<Arguments> deleted() {
        return Stream.of(
                Arguments.of(
                        "what is kept needs nobody",
                        leaving(finished(BackupPhase.COMPLETED, true, NOBODY, KEPT)),
                        new Step.Rest()),
                Arguments.of(
                        "what is stored goes first",
                        leaving(finished(BackupPhase.COMPLETED, true, NOBODY, HELD)),
                        new Step.Erase()),
                Arguments.of(
                        "its end is waited for",
                        leaving(finished(BackupPhase.COMPLETED, true, AT_WORK, HELD)),
                        new Step.Hold("Erasing", "The stored backup is being removed")),
                Arguments.of(
                        "what keeps it from starting is said",
                        leaving(finished(BackupPhase.COMPLETED, true, STUCK, HELD)),
                        new Step.Hold("AgentWaits", "no claim")),
                Arguments.of(
                        "then the object goes",
                        leaving(finished(BackupPhase.COMPLETED, true, DONE, HELD)),
                        new Step.LetGo()),
                Arguments.of(
                        "even if nobody heard that it is done",
                        leaving(finished(BackupPhase.COMPLETED, true, MUTE, HELD)),
                        new Step.LetGo()),
                Arguments.of(
                        "a failure is told",
                        leaving(finished(BackupPhase.COMPLETED, true, FAILED, HELD)),
                        new Step.Hold(
                                "EraseFailed",
                                "The stored backup could not be removed, which is tried again every few minutes: denied")),
                Arguments.of(
                        "and tried again after a while",
                        later(leaving(finished(BackupPhase.COMPLETED, true, FAILED, HELD))),
                        new Step.EraseAgain()),
                Arguments.of(
                        "a failed one stored nothing",
                        leaving(finished(BackupPhase.FAILED, false, NOBODY, HELD)),
                        new Step.LetGo()),
                Arguments.of(
                        "one that never began stored nothing", leaving(view(READY, NOBODY, HELD)), new Step.LetGo()),
                Arguments.of(
                        "one that cannot begin must not hang", leaving(view(READY, STUCK, HELD)), new Step.LetGo()),
                Arguments.of(
                        "one under way is waited for",
                        leaving(view(READY, AT_WORK, HELD)),
                        new Step.Hold(
                                "BackupRuns", "The agent still takes the backup; it is removed once it is complete")),
                Arguments.of(
                        "and where it is stored is written down first",
                        leaving(view(READY, DONE, HELD)),
                        new Step.Complete(NOW, REPORT, Optional.empty())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"living", "deleted"})
    void planned(String why, BackupView view, Step expected) {
        assertThat(Planner.next(view)).isEqualTo(expected);
    }

    private static BackupView view(Readiness readiness, Errand taking, Keeping keeping) {
        return GivenBackup.of(readiness, taking, keeping).view();
    }

    private static BackupView finished(BackupPhase phase, boolean stored, Errand erasing, Keeping keeping) {
        return GivenBackup.of(READY, NOBODY, keeping)
                .finished(phase, stored, erasing)
                .view();
    }

    private static BackupView leaving(BackupView view) {
        return new GivenBackup(view).deleted().view();
    }

    private static BackupView later(BackupView view) {
        return new GivenBackup(view)
                .after(Planner.BEFORE_ERASING_AGAIN.plus(Duration.ofSeconds(1)))
                .view();
    }
}
