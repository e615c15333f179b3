package io.improbable.etcd.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.agentreport.AgentReport;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done about a restore, as a table. */
class PlannerTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bucket: {bucketURL: "s3://b", objectPath: x}       | Choose Restoring object x of s3://b
            volume: {claimName: v, path: x}                    | Choose Restoring file x of claim v
            backup: good                                       | Choose Restoring EtcdBackup good
            backup: none                                       | Fail   EtcdBackup none does not exist
            backup: bad                                        | Fail   EtcdBackup bad has failed
            backup: young                                      | Wait   Waiting for EtcdBackup young to complete
            schedule: s                                        | Choose Restoring EtcdBackup newest
            schedule: s, at: "2026-01-02T00:00:00Z"            | Choose Restoring EtcdBackup good
            schedule: s, at: "2026-01-01T01:00:00+01:00"       | Choose Restoring EtcdBackup good
            schedule: s, at: "2025-12-31T00:00:00Z"            | Fail   EtcdBackupSchedule s has no completed EtcdBackup that was taken not after
            schedule: s, at: "2026-02-30T00:00:00Z"            | Fail   There is no such time
            schedule: t                                        | Fail   EtcdBackupSchedule t has no completed EtcdBackup
            """)
    void theBackupIsChosen(String source, String expected) {
        assertStep(view().source(source).build(), expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            3.6.16 | -      | Settle with etcd 3.6.16
            -      | 3.6.16 | Settle with etcd 3.6.16
            3.6.11 | 3.6.16 | Settle with etcd 3.6.11
            3.7.3  | 3.6.16 | Settle with etcd 3.7.3
            3.5.35 | 3.6.16 | Fail A backup of etcd 3.6.16 cannot be restored with 3.5.35; restore it with 3.6 or 3.7
            3.7.3  | 3.5.35 | Fail restore it with 3.5 or 3.6, and upgrade the cluster then
            -      | -      | Fail Nothing is recorded of the etcd version
            """)
    void theVersionFits(String asked, String recorded, String expected) {
        var view = view().stage("INSPECTING").asking(asked);
        view.inspection = new Errand.Done(Optional.of(report(recorded)));
        assertStep(view.build(), expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -                                          | MakeClaim
            others                                     | Fail Claims c-1 of an earlier EtcdCluster c exist
            cluster                                    | Fail EtcdCluster c exists
            cluster leaving                            | Wait Waiting for the earlier EtcdCluster c to be gone
            leavers                                    | Wait Waiting for claims c-1 of the earlier EtcdCluster c to be gone
            claim                                      | Fill Putting the backup on claim c-0
            claim sent                                 | Wait
            claim failed                               | Fail The object is corrupt
            claim deleting                             | Fail Claim c-0 was deleted
            sent                                       | Fail Claim c-0 was deleted
            claim done                                 | HandOver
            claim done cluster                         | Fail EtcdCluster c exists
            claim done others                          | Fail Claims c-1
            claim done handed                          | MakeCluster
            claim handed cluster ours                  | Enter EtcdCluster c starts
            claim done handed cluster ours             | Enter EtcdCluster c starts
            """)
    void aClaimIsFilledAndHandedOverBeforeTheCluster(String given, String expected) {
        assertStep(view().stage("FILLING").given(given).build(), expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FILLING    | cluster claim done                                    | Hold
            FILLING    | cluster claim owned done held                         | Disown
            FILLING    | cluster claim done held                               | Enter
            FILLING    | -                                                     | Fail EtcdCluster c does not exist
            LYING_DOWN | cluster claim held                                    | LayDown
            LYING_DOWN | cluster claim held paused                             | Wait EtcdCluster c is paused
            LYING_DOWN | cluster claim held foreign                            | Wait Waiting for another EtcdRestore
            LYING_DOWN | cluster claim held rival                              | Wait Waiting for EtcdRestore first, which is not over
            LYING_DOWN | cluster claim held told rival                         | Wait Waiting for EtcdCluster c to stop
            SWAPPING   | cluster claim held others listed rival                | LayDown
            LYING_DOWN | cluster claim held told                               | Wait Waiting for EtcdCluster c to stop
            LYING_DOWN | cluster claim held told lies occupied                 | Wait Waiting for Pod c-1 to end
            LYING_DOWN | cluster claim held told lies others                   | ListOld Claims c-1 are about to be set aside
            LYING_DOWN | cluster claim held told lies                          | ListOld EtcdCluster c has no claims
            LYING_DOWN | claim held others                                     | Fail its claims are as they were
            SWAPPING   | cluster claim held told lies others listed            | SetAside Setting aside claims c-1
            SWAPPING   | cluster claim held told lies others                   | ListOld
            SWAPPING   | cluster claim held told lies occupied others listed   | Wait
            SWAPPING   | cluster claim held others listed                      | LayDown
            SWAPPING   | claim held others listed                              | SetAside
            SWAPPING   | claim held others listed occupied                     | Wait
            SWAPPING   | cluster claim held told lies listed                   | HandOver
            SWAPPING   | cluster claim handed held told lies listed            | Remember
            SWAPPING   | cluster claim handed held told lies listed remembers  | Raise
            SWAPPING   | cluster claim handed held listed remembers            | Enter
            SWAPPING   | claim handed held listed                              | Fail an EtcdCluster of that name starts on it
            SWAPPING   | cluster held told lies listed aside                   | PutBack EtcdCluster c gets claims c-1 back
            SWAPPING   | cluster held told lies listed aside remembers         | Remember etcd cluster c1 again
            SWAPPING   | cluster held listed aside                             | Fail claims of the earlier one, c-1, stay set aside
            SWAPPING   | held listed aside                                     | PutBack
            SWAPPING   | cluster held told lies listed others                  | Fail it has the claims it had
            STARTING   | cluster claim handed held remembers                   | LetGo
            STARTING   | cluster claim handed remembers                        | Wait
            STARTING   | cluster claim handed available                        | Wait
            STARTING   | cluster claim handed remembers available              | Complete
            STARTING   | cluster claim handed remembers asleep                 | Complete
            STARTING   | claim handed                                          | Fail
            STARTING   | cluster claim used available                          | Fail Another EtcdRestore gave EtcdCluster c other data
            """)
    void inPlaceThereIsOneOrder(String stage, String given, String expected) {
        assertStep(view().inPlace().stage(stage).given(given).build(), expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -         | FILLING    | cluster claim owned sent                       | Rest
            -         | FILLING    | cluster claim done held                        | Discard
            -         | LYING_DOWN | cluster claim held told lies                   | Raise
            -         | LYING_DOWN | cluster claim held                             | Discard
            -         | LYING_DOWN | cluster held                                   | LetGo
            -         | SWAPPING   | cluster claim held told lies others listed     | SetAside
            -         | STARTING   | cluster claim handed held                      | LetGo
            FAILED    | SWAPPING   | cluster held told lies                         | Raise
            FAILED    | SWAPPING   | cluster held told lies aside                   | PutBack
            """)
    void aDeletedOneLeavesOrder(String phase, String stage, String given, String expected) {
        assertStep(
                view().inPlace()
                        .stage(stage)
                        .phase(phase)
                        .given(given + " deleted")
                        .build(),
                expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            COMPLETED | claim handed done       | Dismiss
            FAILED    | claim owned done        | Dismiss
            COMPLETED | claim handed            | Rest
            COMPLETED | -                       | Rest
            FAILED    | claim owned             | Discard Removing claim c-0, which no cluster has had
            FAILED    | claim deleting          | Rest
            FAILED    | claim handed            | Rest
            FAILED    | claim used              | Rest
            FAILED    | cluster claim told held | Raise
            FAILED    | held                    | LetGo
            FAILED    | cluster told aside      | PutBack
            """)
    void aFinishedOneIsNotDoneAgain(String phase, String given, String expected) {
        assertStep(view().inPlace().stage("FILLING").phase(phase).given(given).build(), expected);
    }

    private static void assertStep(RestoreView view, String expected) {
        Step step = Planner.next(view);
        String[] words = expected.split(" +", 2);
        assertThat(step.getClass().getSimpleName()).as(step.reason()).isEqualTo(words[0]);
        assertThat(step.reason()).contains(words.length > 1 ? words[1] : "");
    }

    private static AgentReport report(String version) {
        return new AgentReport(
                AgentReport.State.COMPLETED,
                null,
                null,
                null,
                7L,
                null,
                null,
                null,
                null,
                version,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    private static GivenRestore view() {
        return new GivenRestore();
    }
}
