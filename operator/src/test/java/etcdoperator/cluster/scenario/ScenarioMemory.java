package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.OperationType;
import etcdoperator.cluster.status.Conditions;
import etcdoperator.cluster.view.ClusterView.KnownMember;
import etcdoperator.cluster.view.ClusterView.Memory;
import etcdoperator.cluster.view.Operation;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What status remembers, as a scenario tells it. */
final class ScenarioMemory {
    private final JsonNode yaml;
    private final String like;
    private final String cluster;

    ScenarioMemory(JsonNode yaml, String like, String cluster) {
        this.yaml = yaml;
        this.like = like;
        this.cluster = cluster;
    }

    Memory read() {
        return new Memory(clusterId(), clusterVersion(), operation(), members());
    }

    private List<KnownMember> members() {
        return ScenarioStatus.members(yaml.path("before").path("members")).stream()
                .map(KnownMember::of)
                .toList();
    }

    private Optional<EtcdVersion> clusterVersion() {
        return Optional.ofNullable(yaml.path("before").path("clusterVersion").asText(null))
                .map(EtcdVersion::parse);
    }

    private Optional<ClusterId> clusterId() {
        String id = yaml.path("clusterId").asText(like.equals("settled") ? "c1" : "none");
        return id.equals("none") ? Optional.empty() : Optional.of(ClusterId.parse(id));
    }

    private Optional<Operation> operation() {
        Words words = Words.of(yaml.path("operation"), "type");
        String type = words.text("type").orElse(like.equals("founding") ? "Bootstrap" : "none");
        return type.equals("none")
                ? Optional.empty()
                : Optional.of(new Operation(
                        operationType(type),
                        words.text("target").orElse(cluster),
                        ScenarioView.NOW.minus(Duration.parse(words.text("ago").orElse("PT10S"))),
                        words.text("reason").orElse("Because")));
    }

    private static OperationType operationType(String word) {
        return Stream.of(OperationType.values())
                .filter(type -> Conditions.word(type).equals(word))
                .findFirst()
                .orElseThrow(() -> ScenarioView.strange("operation", word, "those of OperationType"));
    }
}
