package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreSpec;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The EtcdRestores of a scenario: {@code c-recovery-1: {state: underWay, swapped: true, source: claim c-0}}. */
final class ScenarioRecoveries {
    private static final Instant CREATED = Instant.parse("2026-01-01T11:00:00Z");

    private ScenarioRecoveries() {}

    static List<RecoveryView> read(JsonNode recoveries) {
        return recoveries.properties().stream()
                .map(entry -> read(entry.getKey(), Words.of(entry.getValue(), "state")))
                .toList();
    }

    private static RecoveryView read(String name, Words words) {
        return new RecoveryView(
                name,
                CREATED,
                ClusterId.parse(words.text("lost").orElse("c1")),
                switch (words.text("state").orElse("underWay")) {
                    case "completed" -> RecoveryView.State.COMPLETED;
                    case "failed" -> RecoveryView.State.FAILED;
                    default -> RecoveryView.State.UNDER_WAY;
                },
                words.is("asks"),
                words.text("confirmed").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.is("swapped"),
                words.is("deleting"),
                words.texts("withoutData"),
                words.texts("foundEmpty"),
                words.texts("foundReadable"),
                words.texts("learners"),
                words.texts("votersFound"),
                disks(words.text("source").orElse("claim c-0")),
                words.text("source").orElse("claim c-0"),
                words.text("revision").map(Long::parseLong),
                words.text("written").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.text("ago").map(ago -> ScenarioView.NOW.minus(Duration.parse(ago))),
                words.text("says").orElse("reading"));
    }

    private static List<String> disks(String source) {
        String[] words = source.split(" ");
        return words[0].equals("claim") ? List.of(words[1]) : List.of();
    }

    static List<EtcdRestore> objects(ClusterView view) {
        return view.recoveries().stream().map(ScenarioRecoveries::object).toList();
    }

    private static EtcdRestore object(RecoveryView view) {
        String[] source = view.source().split(" ");
        var restore = new EtcdRestore();
        restore.setMetadata(new ObjectMetaBuilder()
                .withNamespace("ns")
                .withName(view.name())
                .withAnnotations(Map.of(
                        Labels.RECOVERS,
                        view.lost().toString(),
                        Labels.WITHOUT_DATA,
                        String.join(",", view.withoutData()),
                        Labels.FOUND_EMPTY,
                        String.join(",", view.foundEmpty()),
                        Labels.LEARNERS,
                        String.join(",", view.learners()),
                        Labels.VOTERS_FOUND,
                        String.join(",", view.votersFound()),
                        Labels.LOSS_CONFIRMED,
                        view.confirmedAt().map(Instant::toString).orElse("")))
                .addToAnnotations(
                        view.foundReadable().isEmpty()
                                ? Map.of()
                                : Map.of(Labels.FOUND_READABLE, String.join(",", view.foundReadable())))
                .withCreationTimestamp(CREATED.toString())
                .withDeletionTimestamp(view.deleting() ? "2026-01-01T11:59:00Z" : null)
                .build());
        restore.setSpec(Serialization.jsonMapper()
                .convertValue(
                        Map.of(
                                "source",
                                Map.of(source[0].equals("claim") ? "claim" : "backup", source[1]),
                                "clusterTemplate",
                                Map.of("clusterName", "c"),
                                "inPlace",
                                true),
                        EtcdRestoreSpec.class));
        restore.setStatus(status(view));
        return restore;
    }

    private static EtcdRestoreStatus status(RecoveryView view) {
        Map<String, Object> fields = new HashMap<>(Map.of(
                "phase",
                switch (view.state()) {
                    case UNDER_WAY -> "Restoring";
                    case COMPLETED -> "Completed";
                    case FAILED -> "Failed";
                },
                "stage",
                view.swapped() ? "Swapping" : view.asks() ? "Confirming" : "Filling",
                "conditions",
                List.of(Map.of("message", view.says()))));
        view.revision().ifPresent(revision -> fields.put("revision", revision));
        view.writtenAt().ifPresent(at -> fields.put("backupTime", at.toString()));
        view.completedAt().ifPresent(at -> fields.put("completionTime", at.toString()));
        return Serialization.jsonMapper().convertValue(fields, EtcdRestoreStatus.class);
    }
}
