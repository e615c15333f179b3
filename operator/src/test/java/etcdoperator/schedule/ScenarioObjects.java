package etcdoperator.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleSpec;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.cluster.scenario.ScenarioCheck;
import etcdoperator.cluster.scenario.ScenarioFolder;
import etcdoperator.cluster.scenario.Words;
import etcdoperator.kube.BackupCache.ScheduleObjects;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code view.yaml}: schedule s, made an hour ago, which backs up cluster c each day at 13:00. */
final class ScenarioObjects {
    private static final Instant NOW = ScenarioFolder.NOW;
    private static final Set<String> KEYS = Set.of("spec", "status", "backupNow", "drillNow", "backups", "drills");
    private static final String SPEC = """
            schedule: "0 13 * * *"
            backupTemplate: {source: {cluster: c}, destination: {bucket: {bucketURL: "s3://bk"}}}
            """;
    private static final String PASSED = """
            {"state":"Completed","message":"it holds revision 7","revision":7,\
            "contents":{"hashKV":30,"compactRevision":1,"keys":5}}""";

    private final JsonNode yaml;

    ScenarioObjects(ScenarioFolder folder) {
        folder.requireOnly(KEYS);
        yaml = folder.view();
    }

    ScheduleObjects objects() {
        return new ScheduleObjects(
                schedule(),
                yaml.path("backups").properties().stream()
                        .map(backup -> backup(backup.getKey(), Words.of(backup.getValue(), "state")))
                        .toList(),
                List.of(),
                yaml.path("drills").properties().stream()
                        .map(drill -> job(drill.getKey(), Words.of(drill.getValue(), "state")))
                        .toList(),
                yaml.path("drills").properties().stream()
                        .flatMap(drill -> pod(drill.getKey(), Words.of(drill.getValue(), "state")).stream())
                        .toList());
    }

    private EtcdBackupSchedule schedule() {
        Map<String, String> annotations = new HashMap<>();
        text("backupNow").ifPresent(wish -> annotations.put(Labels.BACKUP_NOW, wish));
        text("drillNow").ifPresent(wish -> annotations.put(Labels.DRILL_NOW, wish));
        var schedule = new EtcdBackupSchedule();
        schedule.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName("s")
                .withCreationTimestamp(NOW.minus(Duration.ofHours(1)).toString())
                .withAnnotations(annotations)
                .build());
        ObjectNode spec = Serialization.unmarshal("---\n" + SPEC, ObjectNode.class);
        yaml.path("spec").properties().forEach(field -> spec.set(field.getKey(), field.getValue()));
        schedule.setSpec(Serialization.jsonMapper().convertValue(spec, EtcdBackupScheduleSpec.class));
        if (yaml.has("status")) {
            schedule.setStatus(Serialization.jsonMapper()
                    .convertValue(ScenarioCheck.withConditions(yaml.path("status")), EtcdBackupScheduleStatus.class));
        }
        return schedule;
    }

    private Optional<String> text(String key) {
        return new Words(yaml).text(key);
    }

    /** {@code under way}, or {@code good} or {@code failed} and how long ago it ended; or a map. */
    private static EtcdBackup backup(String name, Words said) {
        String[] state = said.text("state").orElseThrow().split(" ", 2);
        Map<String, String> annotations = new HashMap<>();
        if (said.is("expired")) {
            annotations.put(Labels.EXPIRED, "true");
        }
        if (said.is("pinned")) {
            annotations.put(Labels.PINNED, "true");
        }
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName(name)
                .withAnnotations(annotations)
                .withFinalizers(said.is("held") ? List.of(Labels.STORED_BACKUP) : List.of())
                .withDeletionTimestamp(said.is("deleted") ? NOW.toString() : null)
                .build());
        backup.setSpec(Serialization.unmarshal(
                "---\nsource: %s\ndestination: {bucket: {bucketURL: 's3://bk', endpoint: %s}}"
                        .formatted(
                                said.map().has("source") ? said.map().path("source") : "{cluster: c}",
                                said.text("endpoint").orElse("null")),
                EtcdBackupSpec.class));
        backup.setStatus(Serialization.unmarshal(
                state[0].equals("under")
                        ? "---\nphase: Running"
                        : "---\nphase: %s\npath: p\nrevision: 7\netcdVersion: %s\ncompletionTime: '%s'"
                                .formatted(
                                        state[0].equals("good") ? "Completed" : "Failed",
                                        said.text("version").orElse("3.6.16"),
                                        NOW.minus(Duration.parse(state[1]))),
                EtcdBackupStatus.class));
        return backup;
    }

    /** {@code running}, {@code stuck why}, {@code passed}, {@code failed why}, {@code mute} or {@code late}. */
    private static Job job(String name, Words said) {
        String state = said.text("state").orElseThrow().split(" ")[0];
        List<JobCondition> conditions = switch (state) {
            case "running", "stuck" -> List.of();
            case "passed", "mute" -> List.of(condition("Complete", null));
            case "failed" -> List.of(condition("Failed", "BackoffLimitExceeded"));
            case "late" -> List.of(condition("Failed", "DeadlineExceeded"));
            default -> throw new IllegalArgumentException("a drill cannot be " + state);
        };
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("uid-of-" + name)
                .withAnnotations(Map.of(Labels.DRILLED, said.text("backup").orElse("s-1")))
                .withCreationTimestamp(NOW.minusSeconds(300).toString())
                .endMetadata()
                .withNewStatus()
                .withConditions(conditions)
                .endStatus()
                .build();
    }

    private static JobCondition condition(String type, @Nullable String reason) {
        return new JobConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withReason(reason)
                .build();
    }

    /** The agent's, with its last words. */
    private static Optional<Pod> pod(String job, Words said) {
        String[] state = said.text("state").orElseThrow().split(" ", 2);
        return Optional.ofNullable(
                        switch (state[0]) {
                            case "stuck" ->
                                "phase: Pending\ncontainerStatuses: [{state: {waiting: {reason: ImagePullBackOff, message: %s}}}]"
                                        .formatted(state[1]);
                            case "passed" ->
                                "phase: Succeeded\ncontainerStatuses: [{state: {terminated: {exitCode: 0, message: '%s'}}}]"
                                        .formatted(PASSED);
                            case "failed" ->
                                "phase: Failed\ncontainerStatuses: [{state: {terminated: {exitCode: 1, message: '%s'}}}]"
                                        .formatted("{\"state\":\"Failed\",\"message\":\"" + state[1] + "\"}");
                            default -> null;
                        })
                .map(status -> new PodBuilder()
                        .withNewMetadata()
                        .withName(job + "-x")
                        .withCreationTimestamp(NOW.toString())
                        .addNewOwnerReference()
                        .withUid("uid-of-" + job)
                        .endOwnerReference()
                        .endMetadata()
                        .withStatus(Serialization.unmarshal("---\n" + status, PodStatus.class))
                        .build());
    }
}
