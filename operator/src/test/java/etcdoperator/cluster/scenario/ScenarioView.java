package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.ClusterView.Wish;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads {@code view.yaml}. Whoever is not described otherwise is as one would expect: cluster c in namespace ns with
 * uid u1, etcd cluster c1, and c-0 is member a0.
 *
 * @param settings the word for what pods are to be made with
 * @param spec what else the cluster's spec says, as manifests do
 * @param peerSettings the same of each peer, where it differs
 * @param missing which of the drifted objects are not there at all
 * @param before what status said until now
 */
public record ScenarioView(
        ClusterView view,
        String settings,
        JsonNode spec,
        Map<PeerName, String> peerSettings,
        Set<String> missing,
        ScenarioStatus before) {
    /** What every pod is made with where a folder does not say otherwise. */
    public static final String USUAL = "usual";

    /** The wish, and the word for its settings. */
    record Asked(Wish wish, String settings, JsonNode spec) {}

    Asked asked() {
        return new Asked(view.wish(), settings, spec);
    }

    String settingsOf(PeerName peer) {
        return peerSettings.getOrDefault(peer, settings);
    }

    public static final Instant NOW = ScenarioFolder.NOW;
    private static final Set<String> KEYS = Set.of(
            "like",
            "cluster",
            "clusterId",
            "operation",
            "claims",
            "peers",
            "pods",
            "members",
            "quorum",
            "answersFor",
            "unreachable",
            "depths",
            "nodesDown",
            "drift",
            "surplus",
            "backups",
            "recoveries",
            "chores",
            "alarms",
            "auth",
            "spec",
            "downgradeTo",
            "tls",
            "before");

    public static ScenarioView read(JsonNode yaml) {
        ScenarioFolder.requireOnly(yaml, KEYS);
        return new ScenarioReader(yaml).read();
    }

    static MemberId memberId(PeerName peer) {
        return new MemberId(0xa0 + peer.ordinal());
    }

    static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    static IllegalArgumentException strange(String what, String word, String known) {
        return new IllegalArgumentException("%s cannot be '%s'; known are %s".formatted(what, word, known));
    }
}
