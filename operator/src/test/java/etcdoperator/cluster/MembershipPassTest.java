package etcdoperator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.tls.AuthorityRules;
import etcdoperator.cluster.execute.IdleWorkshop;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.cluster.execute.ObedientEtcd;
import etcdoperator.cluster.observe.Testifies;
import etcdoperator.cluster.observe.TestimonyTest;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.Pace;
import etcdoperator.etcd.Probes;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.Notice;
import etcdoperator.kube.RecordingKube;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a pass makes of etcd's answers to a change of its members. */
class MembershipPassTest {
    private final IdleWorkshop workshop = new IdleWorkshop();
    private static final ClusterKey KEY = new ClusterKey("ns", "c");
    private static final String TOO_MANY = "{like: settled, cluster: {replicas: 2},"
            + " claims: {c-2: held}, peers: {c-2: sealed}, pods: {c-2: sealed}, members: {c-2: voter}}";

    private final RecordingKube kube = new RecordingKube();
    private final ObedientEtcd etcd = new ObedientEtcd(TestimonyTest.THREE);
    private final Map<PeerName, Answer> answers = new HashMap<>();
    private int askedAgain;
    private Optional<ClusterObjects> objects = Optional.empty();

    @Test
    void aMemberLeavesInOrder() throws Exception {
        given(TOO_MANY);
        assertThat(run()).contains(Duration.ofSeconds(10));
        assertThat(etcd.calls).containsExactly("agreed list", "agreed list", "remove a2");
        assertThat(kube.calls())
                .containsSubsequence(
                        "status EtcdCluster c", "annotate PersistentVolumeClaim c-2", "delete EtcdPeer c-2");
        assertThat(kube.told()).extracting(Notice::reason).contains("ScaleDownStarted", "MemberRemoved");
        assertThat(askedAgain).isEqualTo(1);
    }

    @Test
    void theLeaderIsAsked() throws Exception {
        given(TOO_MANY);
        run();
        assertThat(etcd.endpoints).containsOnly(Endpoint.plain("10.0.0.1", 2379));
    }

    /** A member that was added by hand may lead; the others can still remove it. */
    @Test
    void whereAStrangerLeadsAnotherIsAsked() throws Exception {
        var stranger =
                new ListedMember(new MemberId(0xb9), "by-hand", List.of("http://10.0.0.9:2380"), List.of(), false);
        List<ListedMember> four =
                List.of(TestimonyTest.THREE.get(0), TestimonyTest.THREE.get(1), TestimonyTest.THREE.get(2), stranger);
        given("{like: settled, members: {c-0: voter, x-9: {role: leader, id: b9, stranger: true, unhealthy: x}}}");
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            answers.put(
                    new PeerName("c", ordinal),
                    new Testifies(ordinal).leader(0xb9).lists(four).spoke());
        }
        etcd.lists(four);
        run();
        assertThat(etcd.calls).contains("remove b9");
        assertThat(etcd.endpoints).containsOnly(Endpoint.plain("10.0.0.1", 2379));
    }

    /** Before anything is written down: what was seen is old. */
    @Test
    void otherMembersThanPlannedForEndThePass() {
        given(TOO_MANY);
        etcd.lists(TestimonyTest.THREE.subList(0, 2));
        assertThatThrownBy(this::run)
                .isInstanceOf(StaleViewException.class)
                .hasMessageContaining("not those that were planned for");
        assertThat(kube.calls()).isEmpty();
        assertThat(etcd.calls).containsExactly("agreed list");
        assertThat(askedAgain).isEqualTo(1);
    }

    @Test
    void whatEtcdAsksAMomentForIsTriedAgainSoonAndTold() throws Exception {
        given(TOO_MANY);
        etcd.fails("remove a2", new EtcdException(Kind.NOT_YET, "member remove: unhealthy cluster"));
        assertThat(run()).contains(Duration.ofMillis(250));
        assertThat(condition("Progressing").getStatus()).isEqualTo("True");
        assertThat(condition("Progressing").getMessage())
                .isEqualTo(
                        "Removing c-2: 3 members are there and spec.replicas is 2; member remove: unhealthy cluster");
        assertThat(condition("Degraded").getStatus()).isEqualTo("False");
        assertThat(kube.calls()).doesNotContain("delete EtcdPeer c-2");
        assertThat(kube.told()).extracting(Notice::reason).doesNotContain("MemberRemoved");
    }

    @Test
    void whereEtcdDoesNotAnswerWhetherItWasDoneIsAskedNext() throws Exception {
        given(TOO_MANY);
        etcd.fails("remove a2", new EtcdException(Kind.NO_ANSWER, "member remove: no answer in time"));
        assertThat(run()).contains(Duration.ofSeconds(2));
        assertThat(condition("Progressing").getMessage()).endsWith("member remove: no answer in time");
        assertThat(kube.calls()).doesNotContain("delete EtcdPeer c-2");
        assertThat(askedAgain).isEqualTo(1);
    }

    @Test
    void whatEtcdRefusesAPersonIsTold() throws Exception {
        given(TOO_MANY);
        etcd.fails("remove a2", new EtcdException(Kind.REFUSED, "member remove: PERMISSION_DENIED no"));
        assertThat(run()).contains(Duration.ofSeconds(10));
        assertThat(condition("Degraded").getReason()).isEqualTo("Refused");
        assertThat(condition("Degraded").getMessage())
                .contains("but etcd refuses: member remove: PERMISSION_DENIED no");
        assertThat(kube.calls()).doesNotContain("delete EtcdPeer c-2");
    }

    @Test
    void aQuorumThatDoesNotConfirmChangesNothing() throws Exception {
        given(TOO_MANY);
        etcd.fails("agreed list", new EtcdException(Kind.NO_ANSWER, "linearizable read: no answer in time"));
        assertThat(run()).contains(Duration.ofSeconds(2));
        assertThat(kube.calls()).doesNotContain("annotate PersistentVolumeClaim c-2", "delete EtcdPeer c-2");
        assertThat(kube.clusterStatus().orElseThrow().operation()).isNull();
    }

    private Optional<Duration> run() throws StaleViewException {
        var clock = Clock.fixed(TestimonyTest.NOW, ZoneOffset.UTC);
        return new ClusterPass(
                        new OneCluster(),
                        kube,
                        new Told(),
                        new MembershipChanger(etcd),
                        workshop,
                        "cluster.local",
                new AuthorityRules(marks -> List.of(), AuthorityPolicy.USUAL),
                        () -> Optional.of(clock.instant()),
                        clock)
                .run(KEY);
    }

    private void given(String view) {
        objects = Optional.of(
                ScenarioObjects.of(ScenarioView.read(Serialization.unmarshal("---\n" + view, JsonNode.class))));
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            answers.put(new PeerName("c", ordinal), new Testifies(ordinal).spoke());
        }
    }

    private Condition condition(String type) {
        return kube.clusterStatus().orElseThrow().conditions().stream()
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
            return List.of();
        }

        @Override
        public Optional<PeerObjects> peer(PeerKey key) {
            return Optional.empty();
        }
    }

    private final class Told implements Probes {
        @Override
        public void watch(ClusterKey cluster, Map<PeerName, Endpoint> targets, Pace pace) {}

        @Override
        public Map<PeerName, Answer> answers(ClusterKey cluster, Map<PeerName, Endpoint> members) {
            return answers;
        }

        @Override
        public void askAgain(ClusterKey cluster) {
            askedAgain++;
        }
    }
}
