package io.improbable.etcd.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.agentreport.ReportText;
import io.improbable.etcd.api.EtcdBackupStatus.BackupPhase;
import io.improbable.etcd.backup.BackupView.Keeping;
import io.improbable.etcd.backup.BackupView.Readiness;
import io.improbable.etcd.backup.BackupView.Volume;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is planned where no member can be asked. */
class ReadingPlannerTest {
    private static final Instant NOW = GivenBackup.NOW;
    private static final Keeping KEPT = new Keeping(false, false, false, false);
    private static final Keeping HELD = new Keeping(true, false, true, false);
    private static final Errand NOBODY = new Errand.NotSent();
    private static final Errand UNANSWERED = new Errand.Failed(NOW, NOW, "no member gives a snapshot", true);
    private static final Errand DENIED = new Errand.Failed(NOW, NOW, "denied", false);
    private static final Errand AT_WORK = new Errand.AtWork(NOW, Optional.of("10.0.0.9"), Optional.empty());
    private static final Errand DONE =
            new Errand.Done(NOW, ReportText.read("{\"state\":\"Completed\"}").orElseThrow());
    private static final Readiness NONE_RUNS = new Readiness.NobodyRuns("nobody runs");
    private static final Volume IN_USE = new Volume.InUse("c-0");
    private static final Volume ENDING = new Volume.Ending("c-0");
    private static final Volume FREE = new Volume.Free("c-0");

    static Stream<Arguments> planned() {
        return Stream.of(
                Arguments.of(
                        "nobody answers: one is stopped", asked(UNANSWERED).with(IN_USE), new Step.StopMember("c-0")),
                Arguments.of(
                        "its end is waited for",
                        asked(UNANSWERED).with(ENDING).marked(),
                        new Step.Wait(
                                "MemberStops",
                                "Waiting for c-0 to stop, so that its volume can be read",
                                Optional.empty())),
                Arguments.of("then it is read", asked(UNANSWERED).with(FREE).marked(), new Step.Read("c-0")),
                Arguments.of(
                        "what is in the way is told",
                        asked(UNANSWERED).with(new Volume.NotYet("ClusterPaused", "remove it")),
                        new Step.Wait("ClusterPaused", "remove it", Optional.empty())),
                Arguments.of(
                        "without a volume it ends as it did",
                        asked(UNANSWERED),
                        new Step.Fail(Optional.of(NOW), "no member gives a snapshot")),
                Arguments.of(
                        "who is denied has had an answer",
                        asked(DENIED).with(IN_USE),
                        new Step.Fail(Optional.of(NOW), "denied")),
                Arguments.of(
                        "members answer again before it was read",
                        asked(UNANSWERED).marked(),
                        new Step.GiveBack()),
                Arguments.of(
                        "and are asked again once nobody stands still",
                        asked(NOBODY).marked(),
                        new Step.GiveBack()),
                Arguments.of(
                        "of a cluster that sleeps nobody is asked", none().with(IN_USE), new Step.StopMember("c-0")),
                Arguments.of("it is read at once", none().with(FREE).marked(), new Step.Read("c-0")),
                Arguments.of(
                        "one that starts is waited for",
                        none(),
                        new Step.Wait("NoMember", "nobody runs", Optional.empty())),
                Arguments.of(
                        "while it is read nothing else counts",
                        asked(UNANSWERED).reading(AT_WORK).with(IN_USE),
                        new Step.Follow(NOW, Optional.of("10.0.0.9"), Optional.empty(), Optional.of("c-0"))),
                Arguments.of(
                        "what was read is said to be so",
                        asked(UNANSWERED).reading(DONE).marked(),
                        new Step.Complete(NOW, ((Errand.Done) DONE).report(), Optional.of("c-0"))),
                Arguments.of(
                        "and so is what could not be read",
                        asked(UNANSWERED).reading(DENIED).marked(),
                        new Step.Fail(
                                Optional.of(NOW), "No member could be asked, and claim c-0 could not be read: denied")),
                Arguments.of(
                        "the end gives the member back",
                        asked(UNANSWERED)
                                .finished(BackupPhase.COMPLETED, true, NOBODY)
                                .marked(),
                        new Step.GiveBack()),
                Arguments.of(
                        "so does a failure",
                        asked(UNANSWERED)
                                .finished(BackupPhase.FAILED, false, NOBODY)
                                .marked(),
                        new Step.GiveBack()));
    }

    static Stream<Arguments> deleted() {
        return Stream.of(
                Arguments.of(
                        "a deleted one needs no member",
                        asked(UNANSWERED).marked().deleted(),
                        new Step.GiveBack()),
                Arguments.of(
                        "nor does one that is held",
                        GivenBackup.of(new Readiness.Ready(), UNANSWERED, HELD)
                                .marked()
                                .deleted(),
                        new Step.GiveBack()),
                Arguments.of(
                        "but one whose agent reads does",
                        GivenBackup.of(new Readiness.Ready(), UNANSWERED, HELD)
                                .reading(AT_WORK)
                                .marked()
                                .deleted(),
                        new Step.Hold(
                                "BackupRuns", "The agent still takes the backup; it is removed once it is complete")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"planned", "deleted"})
    void planned(String why, GivenBackup given, Step expected) {
        assertThat(Planner.next(given.view())).isEqualTo(expected);
    }

    private static GivenBackup asked(Errand taking) {
        return GivenBackup.of(new Readiness.Ready(), taking, KEPT);
    }

    private static GivenBackup none() {
        return GivenBackup.of(NONE_RUNS, NOBODY, KEPT);
    }
}
