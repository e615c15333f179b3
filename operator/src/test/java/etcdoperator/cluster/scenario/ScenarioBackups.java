package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The EtcdBackups of a scenario: {@code c-before-1: {state: completed, ago: PT1H, says: where, before: 3.6.16}}. */
final class ScenarioBackups {
    private static final Instant EARLIER = Instant.parse("2025-12-01T00:00:00Z");

    private ScenarioBackups() {}

    static List<BackupView> read(JsonNode backups) {
        return backups.properties().stream()
                .map(entry -> read(entry.getKey(), Words.of(entry.getValue(), "state")))
                .toList();
    }

    private static BackupView read(String name, Words words) {
        return new BackupView(
                name,
                switch (words.text("state").orElse("completed")) {
                    case "completed" -> BackupView.State.COMPLETED;
                    case "failed" -> BackupView.State.FAILED;
                    default -> BackupView.State.UNDER_WAY;
                },
                words.is("earlier")
                        ? EARLIER
                        : ScenarioView.NOW.minus(
                                Duration.parse(words.text("made").orElse("PT1M"))),
                words.text("ago").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.text("says").orElse("s3://backups/" + name),
                words.text("before"),
                words.text("revision").map(Long::parseLong),
                words.is("earlier"));
    }

    static List<EtcdBackup> objects(ClusterView view) {
        return view.backups().stream().map(ScenarioBackups::object).toList();
    }

    private static EtcdBackup object(BackupView view) {
        var backup = new EtcdBackup();
        backup.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName(view.name())
                .withAnnotations(view.before()
                        .map(before -> Map.of(Labels.BEFORE, before))
                        .orElse(Map.of()))
                .withCreationTimestamp(view.createdAt().toString())
                .build());
        backup.setStatus(status(view));
        return backup;
    }

    private static EtcdBackupStatus status(BackupView view) {
        Map<String, Object> fields = new HashMap<>(Map.of(
                "phase",
                switch (view.state()) {
                    case UNDER_WAY -> "Running";
                    case COMPLETED -> "Completed";
                    case FAILED -> "Failed";
                }));
        if (view.isCompleted()) {
            fields.put("objectURL", view.says());
        } else {
            fields.put("conditions", List.of(Map.of("message", view.says())));
        }
        view.at().ifPresent(at -> fields.put("completionTime", at.toString()));
        view.revision().ifPresent(revision -> fields.put("revision", revision));
        return Serialization.jsonMapper().convertValue(fields, EtcdBackupStatus.class);
    }
}
