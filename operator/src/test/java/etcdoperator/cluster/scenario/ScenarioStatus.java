package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.MemberStatus;
import etcdoperator.cluster.status.Aftermath;
import etcdoperator.cluster.status.Conditions;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the statuses of cluster and peers said before a pass; {@code clusterId} and {@code operation} are the view's. */
record ScenarioStatus(EtcdClusterStatus cluster, Map<String, EtcdPeerStatus> peers) {
    static final String LONG_AGO = "2025-12-01T00:00:00Z";

    static ScenarioStatus read(JsonNode yaml, ClusterView view) {
        Map<String, EtcdPeerStatus> peers = new TreeMap<>();
        yaml.path("peers")
                .properties()
                .forEach(peer -> peers.put(
                        peer.getKey(),
                        Serialization.jsonMapper()
                                .convertValue(Words.of(peer.getValue(), "phase").map(), EtcdPeerStatus.class)));
        return new ScenarioStatus(
                new EtcdClusterStatus(
                        null,
                        0,
                        0,
                        null,
                        members(yaml.path("members")),
                        yaml.path("leader").asText(null),
                        view.memory().clusterId().map(Object::toString).orElse(null),
                        view.memory().clusterVersion().map(Object::toString).orElse(null),
                        null,
                        view.memory().operation().map(Operation::toStatus).orElse(null),
                        Stream.of(
                                        Conditions.AVAILABLE,
                                        Conditions.PROGRESSING,
                                        Conditions.DEGRADED,
                                        Conditions.PAUSED,
                                        Aftermath.QUORUM_LOST,
                                        Aftermath.RECOVERED)
                                .flatMap(type -> condition(type, yaml.path(type)).stream())
                                .toList()),
                peers);
    }

    static List<MemberStatus> members(JsonNode yaml) {
        return yaml.properties().stream()
                .map(member -> {
                    var fields = ((com.fasterxml.jackson.databind.node.ObjectNode) member.getValue()).deepCopy();
                    if (!member.getKey().equals(fields.path("id").asText())) {
                        fields.put("name", member.getKey());
                    }
                    return Serialization.jsonMapper().convertValue(fields, MemberStatus.class);
                })
                .toList();
    }

    /** Written as {@code STATUS REASON message}. */
    static Optional<Condition> condition(String type, JsonNode text) {
        if (text.isMissingNode()) {
            return Optional.empty();
        }
        String[] parts = text.asText().split(" ", 3);
        return Optional.of(new ConditionBuilder()
                .withType(type)
                .withStatus(parts[0])
                .withReason(parts[1])
                .withMessage(parts.length > 2 ? parts[2] : "")
                .withObservedGeneration(7L)
                .withLastTransitionTime(LONG_AGO)
                .build());
    }
}
