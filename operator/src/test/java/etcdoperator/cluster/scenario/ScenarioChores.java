package etcdoperator.cluster.scenario;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.view.Chores;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What has come of chores, as a scenario tells it. */
final class ScenarioChores {
    private ScenarioChores() {}

    /** Raft snapshots by peer and minor, and how long ago each of the others was done. */
    static Chores read(JsonNode chores) {
        Map<MemberId, Instant> defragmented = new HashMap<>();
        chores.path("defragmented")
                .properties()
                .forEach(done -> defragmented.put(
                        ScenarioView.memberId(PeerName.parse(done.getKey())),
                        ago(done.getValue()).orElseThrow()));
        return new Chores(
                ago(chores.path("since")).orElse(ScenarioView.NOW.minusSeconds(60)),
                chores.path("snapshots").properties().stream()
                        .map(seen -> new Chores.RaftSnapshot(
                                ScenarioView.memberId(PeerName.parse(seen.getKey())),
                                EtcdVersion.parse(seen.getValue().asText() + ".0")
                                        .minor()))
                        .collect(toSet()),
                ago(chores.path("compacted")),
                defragmented,
                Optional.of(chores.path("comparison"))
                        .filter(JsonNode::isObject)
                        .map(comparison -> new Chores.Comparison(
                                ago(comparison.path("at")).orElse(ScenarioView.NOW.minusSeconds(10)),
                                ids(comparison.path("agreeing")),
                                ids(comparison.path("differing")))),
                Optional.empty(),
                Optional.empty(),
                Optional.ofNullable(chores.path("trouble").asText(null)),
                ago(chores.path("lastTry")).orElse(ScenarioView.NOW));
    }

    private static Optional<Instant> ago(JsonNode node) {
        return Optional.ofNullable(node.asText(null))
                .filter(text -> !text.isEmpty())
                .map(text -> ScenarioView.NOW.minus(Duration.parse(text)));
    }

    private static Set<MemberId> ids(JsonNode peers) {
        return ScenarioView.texts(peers).stream()
                .map(peer -> ScenarioView.memberId(PeerName.parse(peer)))
                .collect(toSet());
    }
}
