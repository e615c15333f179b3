package io.improbable.etcd.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.improbable.etcd.api.EtcdBackup;
import io.improbable.etcd.api.EtcdBackupStatus;
import io.improbable.etcd.api.EtcdBackupStatus.BackupPhase;
import io.improbable.etcd.manifest.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The EtcdBackups of a scenario: {@code c-before-1: {state: completed, ago: PT1H, says: where, before: 3.6.16}}. */
final class ScenarioBackups {
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
                words.text("ago").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.text("says").orElse("s3://backups/" + name),
                words.text("before"));
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
                .build());
        backup.setStatus(new EtcdBackupStatus(
                phase(view.state()),
                view.isCompleted() ? view.says() : null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                view.at().orElse(null),
                view.isCompleted()
                        ? List.of()
                        : List.of(
                                new ConditionBuilder().withMessage(view.says()).build())));
        return backup;
    }

    private static BackupPhase phase(BackupView.State state) {
        return switch (state) {
            case UNDER_WAY -> BackupPhase.RUNNING;
            case COMPLETED -> BackupPhase.COMPLETED;
            case FAILED -> BackupPhase.FAILED;
        };
    }
}
