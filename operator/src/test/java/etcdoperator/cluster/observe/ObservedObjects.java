package etcdoperator.cluster.observe;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.tls.AuthorityRules;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.domain.Clocks;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.kube.ClusterObjects;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The objects of a cluster of one member, for tests to spoil and then to look at. */
abstract class ObservedObjects {
    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    static final String PREFIX = "etcd.improbable.io/";

    ClusterObjects objects = settled();
    Map<PeerName, Answer> answers = Map.of();

    ClusterView view() {
        var authorities = new AuthorityRules(marks -> List.of(), AuthorityPolicy.USUAL).of(objects);
        return new Observer(objects, "cluster.local", authorities, Clocks.agreeingOn(NOW))
                .view(answers, Chores.none(NOW));
    }

    /** With lists that a test can change. */
    static ClusterObjects settled() {
        ClusterObjects made = ScenarioObjects.of(read("like: settled\ncluster: {replicas: 1}\nunreachable: nobody"));
        return new ClusterObjects(
                made.cluster(),
                new ArrayList<>(made.peers()),
                new ArrayList<>(made.claims()),
                new ArrayList<>(made.replicaSets()),
                new ArrayList<>(made.pods()),
                new ArrayList<>(made.support()),
                List.of(),
                List.of(),
                made.recoveries(),
                new ArrayList<>(),
                made.nodesUp(),
                made.nodeAddresses(),
                made.lostVolumes());
    }

    static <T extends io.fabric8.kubernetes.api.model.HasMetadata> T copy(T object, Class<T> type, String name) {
        T copy = type.cast(Serialization.clone(object));
        copy.getMetadata().setName(name);
        copy.getMetadata().getLabels().remove(PREFIX + "peer-name");
        return copy;
    }

    static ScenarioView read(String view) {
        return ScenarioView.read(Serialization.unmarshal("---\n" + view, JsonNode.class));
    }
}
