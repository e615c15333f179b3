package io.improbable.etcd.restore;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.agentreport.AgentReport;
import io.improbable.etcd.agentreport.ReportText;
import io.improbable.etcd.api.EtcdBackupSpec;
import io.improbable.etcd.api.EtcdBackupStatus;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.EtcdRestoreSpec;
import io.improbable.etcd.api.EtcdRestoreStatus;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.RestoredIds;
import io.improbable.etcd.restore.RestoreView.BackupView;
import io.improbable.etcd.restore.RestoreView.Blank;
import io.improbable.etcd.restore.RestoreView.ClusterState;
import io.improbable.etcd.restore.RestoreView.OwnClaim;
import io.improbable.etcd.restore.RestoreView.Survivor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A view in the making. */
final class GivenRestore {
    private static final RestoredIds IDS = RestoredIds.of("http://c-0.c.ns.svc:2380", "r1");
    private static final String TEMPLATE =
            "{clusterName: c, spec: {replicas: %d, storage: {volumeClaimTemplate: {}}%s}}";

    private final List<String> words = new ArrayList<>();
    private String source = "bucket: {bucketURL: 's3://b', objectPath: x}";
    private String asked = ", version: 3.6.16";
    private boolean inPlace;
    private String stage = "";
    private String phase = "";
    Errand inspection = new Errand.NotSent();

    GivenRestore source(String yaml) {
        source = yaml;
        return this;
    }

    GivenRestore asking(String version) {
        asked = version == null ? "" : ", version: " + version;
        return this;
    }

    GivenRestore inPlace() {
        inPlace = true;
        return this;
    }

    GivenRestore stage(String name) {
        stage = "stage: " + camel(name);
        return this;
    }

    GivenRestore phase(String name) {
        phase = name.equals("-") ? "" : "phase: " + camel(name);
        return this;
    }

    GivenRestore given(String more) {
        words.addAll(List.of(more.split(" ")));
        return this;
    }

    private static String camel(String name) {
        var text = new StringBuilder();
        for (String part : name.split("_")) {
            text.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
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
                                        source, inPlace, inPlace ? "{clusterName: c}" : TEMPLATE.formatted(3, asked)),
                        EtcdRestoreSpec.class),
                yaml(
                        "claimName: c-0\nversion: 3.6.16\nchosen: {location: {}}\nsetAsideClaims: [%s]\n%s\n%s"
                                .formatted(is("listed") ? "c-1" : "", stage, phase),
                        EtcdRestoreStatus.class),
                is("deleted"),
                is("held"),
                is("unconfirmed"),
                is("rival") ? Optional.of("first") : Optional.empty(),
                backups(),
                is("cluster") ? Optional.of(cluster()) : Optional.empty(),
                is("claim") || is("handed")
                        ? Optional.of(new OwnClaim(
                                "c-0", is("owned"), is("handed"), is("handed") || is("used"), is("deleting"), IDS))
                        : Optional.empty(),
                is("others") || is("leavers") ? List.of("c-1") : List.of(),
                is("leavers") ? List.of("c-1") : List.of(),
                is("aside") ? List.of("c-1") : List.of(),
                is("aside") ? Optional.of(new ClusterId(0xc1)) : Optional.empty(),
                survivors(),
                blanks(),
                is("occupied") ? Optional.of("Pod c-1") : Optional.empty(),
                inspection,
                filling(),
                is("sent") ? asked().stream().limit(1).toList() : List.of(),
                salvages() && (is("sent") || is("done") || is("failed") || is("read")),
                is("straggler") ? Optional.of("back-restore-x") : Optional.empty(),
                false);
    }

    /** What became of looking at claim c-2 once more, on which etcd has found nothing. */
    private List<Blank> blanks() {
        Map<String, Errand> looks = Map.of(
                "blank", new Errand.NotSent(),
                "looking", new Errand.Sent(Optional.empty()),
                "found", new Errand.Done(Optional.empty()),
                "nothing", new Errand.Failed("holds no data of etcd", true),
                "unreadable", new Errand.Failed("cannot be read", false));
        return looks.entrySet().stream()
                .filter(look -> is(look.getKey()))
                .map(look -> new Blank("c-2", look.getValue(), is("late")))
                .toList();
    }

    /** All that the source names, or one of them. */
    private List<Survivor> survivors() {
        Optional<EtcdVersion> version = is("old") ? Optional.of(new EtcdVersion(3, 4, 23)) : Optional.empty();
        return is("none")
                ? List.of()
                : asked().stream()
                        .skip(is("lost") ? 1 : 0)
                        .map(claim -> new Survivor(claim, version, survey(claim)))
                        .toList();
    }

    /** The first goes to term 3, and the others to term 4, unless something is said of them. */
    private Errand survey(String claim) {
        if (is(claim + "-unread")) {
            return new Errand.Failed("claim " + claim + " gave no answer", false);
        }
        if (is(claim + "-spoilt")) {
            return new Errand.Failed("claim " + claim + " has a damaged log", true);
        }
        return is(claim + "-looked-at")
                ? new Errand.Sent(Optional.empty())
                : is(claim + "-mute")
                        ? new Errand.Done(Optional.empty())
                        : is("surveyed") ? new Errand.Done(Optional.of(report(claim))) : new Errand.NotSent();
    }

    private AgentReport report(String claim) {
        return ReportText.read("{\"state\": \"Completed\", \"source\": \"%s\", \"term\": %d, \"index\": 9}"
                        .formatted(claim, asked().indexOf(claim) == 0 ? 3 : 4))
                .orElseThrow();
    }

    private boolean salvages() {
        return !asked().isEmpty();
    }

    private List<String> asked() {
        return yaml("{" + source + "}", EtcdRestoreSpec.RestoreSource.class).survivors();
    }

    private boolean is(String word) {
        return words.contains(word);
    }

    private Errand filling() {
        return is("done")
                ? new Errand.Done(Optional.empty())
                : is("failed")
                        ? new Errand.Failed("The object is corrupt", true)
                        : is("sent") ? new Errand.Sent(Optional.empty()) : new Errand.NotSent();
    }

    private ClusterState cluster() {
        return new ClusterState(
                yaml(
                        "replicas: %d\nversion: 3.6.16\npaused: %s\nstorage: {volumeClaimTemplate: {}}"
                                .formatted(is("asleep") ? 0 : 3, is("paused")),
                        EtcdClusterSpec.class),
                is("leaving"),
                is("another"),
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
