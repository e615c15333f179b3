package etcdoperator.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.tls.AuthorityRules;
import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.cluster.execute.IdleWorkshop;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Probes;
import etcdoperator.etcd.TypicalStatus;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.RecordingKube;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One cluster, the pass over it, and what the pass has written and asked. */
final class ClusterPassStage {
    static final ClusterKey KEY = new ClusterKey("ns", "c");
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final IdleWorkshop workshop = new IdleWorkshop();
    private final RecordingKube kube = new RecordingKube();
    private final AskedFor probes = new AskedFor();
    private Optional<ClusterObjects> objects = Optional.empty();
    private List<PersistentVolumeClaim> leftClaims = List.of();

    private final EtcdClient.Factory etcd = endpoint -> {
        throw new AssertionError("nobody's members were to be changed");
    };

    RecordingKube kube() {
        return kube;
    }

    AskedFor probes() {
        return probes;
    }

    ClusterObjects objects() {
        return objects.orElseThrow();
    }

    void removeCluster() {
        objects = Optional.empty();
    }

    /** The claims of a cluster that is gone. */
    void leave(List<PersistentVolumeClaim> claims) {
        leftClaims = claims;
    }

    static Answer wellAnswer() {
        var listed = new ListedMember(new MemberId(0xa0), "c-0", List.of("http://c-0.c.ns.svc:2380"), List.of(), false);
        var status = TypicalStatus.of(
                new ClusterId(0xc1), new MemberId(0xa0), "3.6.16", 1, new MemberId(0xa0), false, 1, 1, List.of());
        return new Answer.Spoke(NOW, status, List.of(listed), Optional.empty());
    }

    Optional<Duration> run() throws StaleViewException {
        return pass().run(KEY);
    }

    ClusterPass pass() {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        return new ClusterPass(
                new OneCluster(),
                kube,
                probes,
                new MembershipChanger(etcd),
                workshop,
                "cluster.local",
                new AuthorityRules(marks -> List.of(), AuthorityPolicy.USUAL),
                () -> Optional.of(clock.instant()),
                clock);
    }

    void given(String view) {
        objects = Optional.of(ScenarioObjects.of(ScenarioView.read(Serialization.unmarshal(view, JsonNode.class))));
    }

    Condition condition(String type) {
        List<Condition> conditions = kube.clusterStatus().orElseThrow().conditions();
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private final class OneCluster implements KubeCache {
        @Override
        public Optional<ClusterObjects> cluster(ClusterKey key) {
            return objects;
        }

        @Override
        public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
            return leftClaims;
        }

        @Override
        public Optional<PeerObjects> peer(PeerKey key) {
            return Optional.empty();
        }
    }

    static final class AskedFor implements Probes {
        private Map<PeerName, Endpoint> members = Map.of();
        private boolean settled;
        private Map<PeerName, Answer> answers = Map.of();

        Map<PeerName, Endpoint> members() {
            return members;
        }

        boolean isSettled() {
            return settled;
        }

        void answer(Map<PeerName, Answer> now) {
            answers = now;
        }

        @Override
        public void watch(ClusterKey cluster, Map<PeerName, Endpoint> targets, Pace pace) {
            members = targets;
            settled = pace == Pace.CALM;
        }

        @Override
        public Map<PeerName, Answer> answers(ClusterKey cluster, Map<PeerName, Endpoint> members) {
            return answers;
        }

        @Override
        public void askAgain(ClusterKey cluster) {}
    }
}
