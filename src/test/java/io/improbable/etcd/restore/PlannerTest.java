package io.improbable.etcd.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.agent.AgentReport;
import io.improbable.etcd.api.EtcdBackupSpec;
import io.improbable.etcd.api.EtcdBackupStatus;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.EtcdRestoreSpec;
import io.improbable.etcd.api.EtcdRestoreStatus;
import io.improbable.etcd.domain.RestoredIds;
import io.improbable.etcd.restore.RestoreView.BackupView;
import io.improbable.etcd.restore.RestoreView.ClusterState;
import io.improbable.etcd.restore.RestoreView.OwnClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is done about a restore, as a table. */
class PlannerTest {
    private static final RestoredIds IDS = RestoredIds.of("http://c-0.c.ns.svc:2380", "r1");
    private static final String TEMPLATE =
            "{clusterName: c, spec: {replicas: %d, storage: {volumeClaimTemplate: {}}%s}}";

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
            SWAPPING   | cluster held told lies listed                         | Fail are set aside: create another EtcdRestore
            STARTING   | cluster claim handed held remembers                   | LetGo
            STARTING   | cluster claim handed remembers                        | Wait
            STARTING   | cluster claim handed available                        | Wait
            STARTING   | cluster claim handed remembers available              | Complete
            STARTING   | cluster claim handed remembers asleep                 | Complete
            STARTING   | claim handed                                          | Fail
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
            COMPLETED | claim handed            | Rest
            COMPLETED | -                       | Rest
            FAILED    | claim owned             | Discard Removing claim c-0, which no cluster has had
            FAILED    | claim deleting          | Rest
            FAILED    | claim handed            | Rest
            FAILED    | cluster claim told held | Raise
            FAILED    | held                    | LetGo
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
                null);
    }

    private static Given view() {
        return new Given();
    }

    /** A view in the making. */
    private static final class Given {
        private final List<String> words = new ArrayList<>();
        private String source = "bucket: {bucketURL: 's3://b', objectPath: x}";
        private String asked = ", version: 3.6.16";
        private boolean inPlace;
        private String stage = "";
        private String phase = "";
        private Errand inspection = new Errand.NotSent();

        Given source(String yaml) {
            source = yaml;
            return this;
        }

        Given asking(String version) {
            asked = version == null ? "" : ", version: " + version;
            return this;
        }

        Given inPlace() {
            inPlace = true;
            return this;
        }

        Given stage(String name) {
            stage = "stage: " + camel(name);
            return this;
        }

        Given phase(String name) {
            phase = name.equals("-") ? "" : "phase: " + camel(name);
            return this;
        }

        Given given(String more) {
            words.addAll(List.of(more.split(" ")));
            return this;
        }

        private static String camel(String name) {
            var text = new StringBuilder();
            for (String part : name.split("_")) {
                text.append(part.charAt(0)).append(part.substring(1).toLowerCase(java.util.Locale.ROOT));
            }
            return text.toString();
        }

        RestoreView build() {
            return new RestoreView(
                    "back",
                    "r1",
                    yaml(
                            "source: {%s}\ninPlace: %s\nclusterTemplate: %s"
                                    .formatted(
                                            source,
                                            inPlace,
                                            inPlace ? "{clusterName: c}" : TEMPLATE.formatted(3, asked)),
                            EtcdRestoreSpec.class),
                    yaml(
                            "claimName: c-0\nversion: 3.6.16\nchosen: {location: {}}\nsetAsideClaims: [%s]\n%s\n%s"
                                    .formatted(is("listed") ? "c-1" : "", stage, phase),
                            EtcdRestoreStatus.class),
                    is("deleted"),
                    is("held"),
                    backups(),
                    is("cluster") ? Optional.of(cluster()) : Optional.empty(),
                    is("claim") || is("handed")
                            ? Optional.of(new OwnClaim("c-0", is("owned"), is("handed"), is("deleting"), IDS))
                            : Optional.empty(),
                    is("others") || is("leavers") ? List.of("c-1") : List.of(),
                    is("leavers") ? List.of("c-1") : List.of(),
                    is("occupied") ? Optional.of("Pod c-1") : Optional.empty(),
                    inspection,
                    filling(),
                    false);
        }

        private boolean is(String word) {
            return words.contains(word);
        }

        private Errand filling() {
            return is("done")
                    ? new Errand.Done(Optional.empty())
                    : is("failed")
                            ? new Errand.Failed("The object is corrupt")
                            : is("sent") ? new Errand.Sent(Optional.empty()) : new Errand.NotSent();
        }

        private ClusterState cluster() {
            return new ClusterState(
                    yaml(
                            "replicas: %d\nversion: 3.6.16\npaused: %s\nstorage: {volumeClaimTemplate: {}}"
                                    .formatted(is("asleep") ? 0 : 3, is("paused")),
                            EtcdClusterSpec.class),
                    is("leaving"),
                    is("ours") ? Optional.of("r1") : Optional.empty(),
                    is("told") ? Optional.of("r1") : is("foreign") ? Optional.of("r2") : Optional.empty(),
                    is("lies") ? Optional.of("back") : Optional.empty(),
                    Optional.of(is("remembers") ? IDS.clusterId().toString() : "c1"),
                    is("available"),
                    "it says so");
        }

        private static List<BackupView> backups() {
            return List.of(
                    backup("good", "s", "phase: Completed, path: a/x, startTime: '2026-01-01T00:00:00Z'"),
                    backup("newest", "s", "phase: Completed, path: a/y, startTime: '2026-01-03T00:00:00Z'"),
                    backup("other", "u", "phase: Completed, path: a/z, startTime: '2026-01-04T00:00:00Z'"),
                    backup("bad", "s", "phase: Failed, startTime: '2026-01-05T00:00:00Z'"),
                    backup("young", "s", "phase: Running, startTime: '2026-01-06T00:00:00Z'"));
        }

        private static BackupView backup(String name, String schedule, String status) {
            return new BackupView(
                    name,
                    Optional.of(schedule),
                    yaml(
                            "source: {cluster: c}\ndestination: {bucket: {bucketURL: 's3://b', objectPath: '{time}'}}",
                            EtcdBackupSpec.class),
                    Optional.of(yaml("{" + status + "}", EtcdBackupStatus.class)));
        }

        private static <T> T yaml(String text, Class<T> type) {
            return Serialization.unmarshal("---\n" + text, type);
        }
    }
}
