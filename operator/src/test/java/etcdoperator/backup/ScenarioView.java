package etcdoperator.backup;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.backup.BackupView.Readiness;
import etcdoperator.backup.BackupView.Reading;
import etcdoperator.backup.BackupView.Volume;
import etcdoperator.cluster.scenario.ScenarioCheck;
import etcdoperator.cluster.scenario.ScenarioFolder;
import etcdoperator.cluster.scenario.Words;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code view.yaml}: EtcdBackup b of EtcdCluster c, for which no agent was sent yet and nothing is in the way. */
final class ScenarioView {
    private static final Instant NOW = ScenarioFolder.NOW;
    private static final Set<String> KEYS = Set.of(
            "onDelete",
            "cluster",
            "others",
            "held",
            "owned",
            "expired",
            "deleted",
            "status",
            "forbidden",
            "readiness",
            "taking",
            "reading",
            "volume",
            "lostWordsOf",
            "marked",
            "erasing");

    private final JsonNode yaml;
    private final Words words;

    ScenarioView(ScenarioFolder folder) {
        folder.requireOnly(KEYS);
        yaml = folder.view();
        words = new Words(yaml);
    }

    BackupView view() {
        EtcdBackup backup = backup();
        EtcdBackupStatus status = Report.statusOf(backup);
        var fate = new Fate(new BackupObjects(backup, cluster(), List.of(), List.of(), others(), List.of()));
        return new BackupView(
                Optional.ofNullable(status.phase()),
                status.path() != null && fate.sharers().isEmpty(),
                words.text("forbidden"),
                readiness(),
                errand("taking"),
                yaml.has("reading") ? new Reading(errand("reading"), Optional.of("c-0")) : Reading.NONE,
                volume(),
                words.text("lostWordsOf"),
                words.is("marked"),
                errand("erasing"),
                fate.keeping(),
                words.is("deleted"),
                NOW);
    }

    EtcdBackup backup() {
        EtcdBackup backup = named("b", ScenarioCheck.withConditions(yaml.path("status")));
        if (words.is("held")) {
            backup.getMetadata().setFinalizers(List.of("another/finalizer", Labels.STORED_BACKUP));
        }
        if (words.is("owned")) {
            backup.getMetadata()
                    .setOwnerReferences(List.of(Serialization.unmarshal(
                            "---\n{kind: EtcdCluster, name: c, uid: u, apiVersion: etcd.improbable.io/v1alpha1}",
                            io.fabric8.kubernetes.api.model.OwnerReference.class)));
        }
        if (words.is("expired")) {
            backup.getMetadata().setAnnotations(Map.of(Labels.EXPIRED, "true"));
        }
        backup.getMetadata().setDeletionTimestamp(words.is("deleted") ? NOW.toString() : null);
        return backup;
    }

    private EtcdBackup named(String name, JsonNode status) {
        var backup = new EtcdBackup();
        backup.setMetadata(
                new ObjectMetaBuilder().withNamespace("ns").withName(name).build());
        backup.setSpec(Serialization.unmarshal(
                "---\nsource: {cluster: c}\ndestination: {bucket: {bucketURL: 's3://bk'}}\nonDelete: "
                        + words.text("onDelete").orElse("null"),
                EtcdBackupSpec.class));
        backup.setStatus(
                status.isMissingNode()
                        ? null
                        : Serialization.jsonMapper().convertValue(status, EtcdBackupStatus.class));
        return backup;
    }

    /** By name, with what their status says. */
    private List<EtcdBackup> others() {
        return yaml.path("others").properties().stream()
                .map(other -> named(other.getKey(), other.getValue()))
                .toList();
    }

    /** What it says of backups, or {@code gone}; {@code made} and {@code leaving} where that counts. */
    private Optional<ClusterObjects> cluster() {
        Words said = Words.of(yaml.path("cluster"), "onDelete");
        if (said.text("onDelete").equals(Optional.of("gone"))) {
            return Optional.empty();
        }
        var cluster = new EtcdCluster();
        cluster.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName("c")
                .withUid("u")
                .withCreationTimestamp(said.text("made").orElse(null))
                .withDeletionTimestamp(said.is("leaving") ? NOW.toString() : null)
                .build());
        cluster.setSpec(Serialization.unmarshal(
                "---\nreplicas: 3\nversion: 3.6.16\nstorage: {volumeClaimTemplate: {}}\nbackup: "
                        + said.text("onDelete")
                                .map("{destination: {volume: {claimName: v}}, onDelete: %s}"::formatted)
                                .orElse("null"),
                EtcdClusterSpec.class));
        return Optional.of(new ClusterObjects(
                cluster, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
                List.of(), Set.of(), Set.of(), Map.of()));
    }

    /** {@code ready}, {@code NobodyRuns why}, or a reason and why. */
    private Readiness readiness() {
        String said = words.text("readiness").orElse("ready");
        String[] parts = said.split(" ", 2);
        return switch (parts[0]) {
            case "ready" -> new Readiness.Ready();
            case "NobodyRuns" -> new Readiness.NobodyRuns(parts[1]);
            default -> new Readiness.NotYet(parts[0], parts[1]);
        };
    }

    private Volume volume() {
        String said = words.text("volume").orElse("none");
        String[] parts = said.split(" ", 2);
        return switch (parts[0]) {
            case "none" -> new Volume.None();
            case "inUse" -> new Volume.InUse(parts[1]);
            case "ending" -> new Volume.Ending(parts[1]);
            case "free" -> new Volume.Free(parts[1]);
            default -> new Volume.NotYet(parts[0], parts[1]);
        };
    }

    /** {@code starting}, {@code stuck why}, {@code running}, {@code done}, {@code mute}, {@code failed why}; or a map. */
    private Errand errand(String which) {
        if (!yaml.has(which)) {
            return new Errand.NotSent();
        }
        Words said = Words.of(yaml.path(which), "state");
        String[] parts = said.text("state").orElseThrow().split(" ", 2);
        Instant at = NOW.minus(Duration.parse(said.text("ago").orElse("PT0S")));
        return switch (parts[0]) {
            case "starting" -> new Errand.Awaited(NOW, Optional.empty());
            case "stuck" -> new Errand.Awaited(NOW, Optional.of(parts[1]));
            case "running" -> new Errand.AtWork(NOW, Optional.of("10.0.0.9"), Optional.empty());
            case "done" -> new Errand.Done(NOW, report());
            case "mute" -> new Errand.Mute(NOW);
            case "failed" -> new Errand.Failed(NOW, at, parts[1], said.is("unanswered"));
            default -> throw new IllegalArgumentException(which + " cannot be " + parts[0]);
        };
    }

    private static AgentReport report() {
        return ReportText.read("""
                        {"state": "Completed", "objectURL": "s3://bk/p", "path": "p", "revision": 7, "sizeBytes": 100,
                         "sha256": "abc", "etcdVersion": "3.6.16"}""").orElseThrow();
    }
}
