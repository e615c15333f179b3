package etcdoperator.cluster.scenario;

import static java.util.stream.Collectors.toMap;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.MetricsHistory;
import etcdoperator.etcd.MetricsHistory.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What a member's metrics tell, as a scenario tells it. */
final class ScenarioMetrics {
    private ScenarioMetrics() {}

    /** @param members the ids of all of them, by their names */
    static Optional<MetricsHistory> of(Words member, MemberId self, boolean leads, Map<String, MemberId> members) {
        if (!member.map().has("metrics")) {
            return Optional.empty();
        }
        var metrics = new Words(member.map().path("metrics"));
        Instant since = ago(metrics, "for", "PT1H");
        return Optional.of(new MetricsHistory(
                Optional.of(self),
                ago(metrics, "begun", "PT1H"),
                ago(metrics, "read", "PT1S"),
                metrics.text("revision").map(Long::parseLong).orElse(0L),
                metrics.text("committed").map(Long::parseLong).orElse(0L),
                ago(metrics, "still", "PT1H"),
                leads ? Optional.of(ago(metrics, "leads", "PT1H")) : Optional.empty(),
                members.entrySet().stream()
                        .filter(other -> !other.getValue().equals(self))
                        .collect(toMap(
                                Map.Entry::getValue,
                                other -> new Connection(
                                        !metrics.texts("disconnected").contains(other.getKey()), since)))));
    }

    private static Instant ago(Words metrics, String key, String usual) {
        return ScenarioView.NOW.minus(Duration.parse(metrics.text(key).orElse(usual)));
    }
}
