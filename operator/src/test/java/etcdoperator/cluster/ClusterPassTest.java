package etcdoperator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.api.PeerPhase;
import etcdoperator.cluster.execute.IdleWorkshop;
import etcdoperator.cluster.execute.MembershipChanger;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.cluster.view.Problem;
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
import etcdoperator.kube.Notice;
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
import org.junit.jupiter.api.Test;

/** The order in which a pass does things, and what it does when the API server says no. */
class ClusterPassTest {
    private final IdleWorkshop workshop = new IdleWorkshop();
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final ClusterKey KEY = new ClusterKey("ns", "c");
    private static final String ANEW = "cluster: {replicas: 1}\ndrift: [Service c missing]";

    private final RecordingKube kube = new RecordingKube();
    private final AskedFor probes = new AskedFor();
    private Optional<ClusterObjects> objects = Optional.empty();
    private List<PersistentVolumeClaim> leftClaims = List.of();

    @Test
    void theLockIsTakenBeforeAnythingElse() throws Exception {
        given(ANEW);
        assertThat(run()).isPresent();
        assertThat(kube.calls())
                .startsWith("status EtcdCluster c")
                .containsSubsequence("create PersistentVolumeClaim c-0", "create EtcdPeer c-0")
                .contains("create Service c");
        assertThat(kube.clusterStatus().orElseThrow().operation().type()).isEqualTo(OperationType.BOOTSTRAP);
        assertThat(kube.told().getFirst()).isEqualTo(Notice.normal("BootstrapStarted", "Bootstrapping c-0"));
    }

    @Test
    void withoutTheLockNothingHappens() {
        given(ANEW);
        kube.findsStale("status EtcdCluster c");
        assertThatThrownBy(this::run).isInstanceOf(StaleViewException.class);
        assertThat(kube.calls()).containsExactly("status EtcdCluster c");
        assertThat(kube.told()).isEmpty();
    }

    @Test
    void whatFindsTheWorldChangedEndsThePass() {
        given(ANEW);
        kube.findsStale("create PersistentVolumeClaim c-0");
        assertThatThrownBy(this::run).isInstanceOf(StaleViewException.class);
        assertThat(kube.calls()).doesNotContain("create EtcdPeer c-0");
    }

    @Test
    void aRefusalIsToldInTheApiServersWordsAndTriedAgain() throws Exception {
        given(ANEW);
        kube.refuses("create PersistentVolumeClaim c-0");
        assertThat(run()).isPresent();
        assertThat(kube.calls()).doesNotContain("create EtcdPeer c-0").endsWith("status EtcdCluster c");
        assertThat(condition("Degraded").getReason()).isEqualTo("Refused");
        assertThat(condition("Degraded").getMessage())
                .isEqualTo("The API server refuses create PersistentVolumeClaim c-0");
        assertThat(condition("Available").getReason()).isEqualTo("Blocked");
        assertThat(kube.told())
                .contains(Notice.warning("Refused", "The API server refuses create PersistentVolumeClaim c-0"));
    }

    @Test
    void whoIsHeldIsToldWhyAndNothingIsMade() throws Exception {
        given(ANEW);
        assertThat(pass().hold(KEY, new Problem(Problem.Kind.Refused, "Not yet")))
                .isPresent();
        assertThat(kube.calls()).containsExactly("status EtcdCluster c");
        assertThat(condition("Degraded").getMessage()).isEqualTo("Not yet");
        assertThat(kube.clusterStatus().orElseThrow().operation()).isNull();
    }

    @Test
    void evenARefusedReportEndsWell() throws Exception {
        given(ANEW);
        kube.refuses("status EtcdCluster c");
        assertThat(run()).isPresent();
    }

    @Test
    void podsWithAddressesAreAskedEagerlyUntilAllIsWell() throws Exception {
        given("like: founding\npods: {c-1: {state: founder, pending: true}, c-2: {state: founder, deleting: true}}");
        assertThat(run()).isPresent();
        assertThat(probes.members).containsExactly(Map.entry(PeerName.parse("c-0"), Endpoint.plain("10.0.0.1", 2379)));
        assertThat(probes.settled).isFalse();
    }

    @Test
    void aClusterThatIsGoneOrGoingIsNotAskedAnyMore() throws Exception {
        given("like: settled");
        run();
        assertThat(probes.members).hasSize(3);
        kube.calls().clear();
        objects.orElseThrow().cluster().getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
        assertThat(run()).isEmpty();
        assertThat(probes.members).isEmpty();
        objects = Optional.empty();
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).isEmpty();
    }

    /** Another writer of status would lose which installation of the operator manages the cluster. */
    @Test
    void theRecordOfTheInstallationStays() throws Exception {
        given("like: settled");
        EtcdCluster cluster = objects.orElseThrow().cluster();
        cluster.setStatus(cluster.getStatus().withInstallation("ops/etcd-operator"));
        run();
        assertThat(kube.clusterStatus().orElseThrow().installation()).isEqualTo("ops/etcd-operator");
    }

    @Test
    void saidAgainNothingIsWritten() throws Exception {
        given("cluster: {replicas: 0}");
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).containsExactly("status EtcdCluster c");
        objects.orElseThrow().cluster().setStatus(kube.clusterStatus().orElseThrow());
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).hasSize(1);
        assertThat(probes.settled).isTrue();
    }

    @Test
    void whereAllIsWellNothingIsDoneUntilSomethingHappens() throws Exception {
        given("like: settled\ncluster: {replicas: 1}");
        probes.answers = Map.of(PeerName.parse("c-0"), wellAnswer());
        assertThat(run()).isEmpty();
        assertThat(probes.settled).isTrue();
    }

    /** The member answers and its pod is not ready: one of them knows more than the other. */
    @Test
    void aPodThatIsNotReadyKeepsTheProbesEager() throws Exception {
        given("like: settled\ncluster: {replicas: 1}");
        objects.orElseThrow()
                .pods()
                .getFirst()
                .getStatus()
                .getConditions()
                .getFirst()
                .setStatus("False");
        probes.answers = Map.of(PeerName.parse("c-0"), wellAnswer());
        assertThat(run()).isPresent();
        assertThat(probes.settled).isFalse();
    }

    @Test
    void peersAreReportedOnceEachAndOnlyWhenTheirStatusChanges() throws Exception {
        given("like: settled\ncluster: {replicas: 1}");
        probes.answers = Map.of(PeerName.parse("c-0"), wellAnswer());
        run();
        assertThat(kube.calls()).containsOnlyOnce("status EtcdPeer c-0");
        EtcdPeer peer = objects.orElseThrow().peers().getFirst();
        EtcdPeer written = kube.peers().getFirst();
        assertThat(written.getMetadata()).isEqualTo(peer.getMetadata());
        assertThat(written.getSpec()).isEqualTo(peer.getSpec());
        assertThat(written.getStatus().memberId()).isEqualTo("a0");
        assertThat(written.getStatus().phase()).isEqualTo(PeerPhase.RUNNING);
        peer.setStatus(written.getStatus());
        kube.calls().clear();
        run();
        assertThat(kube.calls()).doesNotContain("status EtcdPeer c-0");
    }

    @Test
    void phasesThatPassQuicklyAreNotWrittenDown() throws Exception {
        given("like: founding\ncluster: {replicas: 1}\noperation: {type: Bootstrap, ago: PT9S}");
        run();
        assertThat(kube.calls()).doesNotContain("status EtcdPeer c-0");
        given("like: founding\ncluster: {replicas: 1}\noperation: {type: Bootstrap, ago: PT10S}");
        run();
        assertThat(kube.calls()).contains("status EtcdPeer c-0");
    }

    @Test
    void aMemberThatIsWellIsWrittenDownAtOnce() throws Exception {
        given("like: settled\ncluster: {replicas: 1}\noperation: {type: Bootstrap, ago: PT1S}");
        probes.answers = Map.of(PeerName.parse("c-0"), wellAnswer());
        run();
        assertThat(kube.calls()).contains("status EtcdPeer c-0");
        assertThat(kube.told()).extracting(Notice::reason).contains("BootstrapFinished");
    }

    @Test
    void whoWasJustSealedIsReportedByTheNextPass() throws Exception {
        given("like: founding\ncluster: {replicas: 1}");
        probes.answers = Map.of(PeerName.parse("c-0"), wellAnswer());
        assertThat(run()).isPresent();
        assertThat(kube.calls())
                .containsExactly(
                        "annotate PersistentVolumeClaim c-0",
                        "replace EtcdPeer c-0",
                        "annotate Pod c-0",
                        "status EtcdCluster c");
        assertThat(kube.told()).extracting(Notice::reason).contains("MemberJoined", "Available");
    }

    @Test
    void whatWasChangedByHandIsAppliedAgain() throws Exception {
        given("like: settled\ncluster: {replicas: 1}\nunreachable: nobody");
        objects.orElseThrow().support().getFirst().getMetadata().getLabels().clear();
        run();
        assertThat(kube.calls()).containsExactly("apply Service c", "status EtcdCluster c", "status EtcdPeer c-0");
    }

    /** As operators before this one made them. */
    @Test
    void claimsThatArgoCdWouldPruneAreMarkedWithoutTouchingAnyPod() throws Exception {
        given("like: settled\ncluster: {replicas: 1}");
        probes.answers = Map.of(PeerName.parse("c-0"), wellAnswer());
        objects.orElseThrow().claims().getFirst().getMetadata().getLabels().put("app.kubernetes.io/instance", "c");
        run();
        assertThat(kube.calls())
                .containsExactly("mark PersistentVolumeClaim c-0", "status EtcdCluster c", "status EtcdPeer c-0");
    }

    /** They are all that is left of its data. */
    @Test
    void claimsOfADeletedClusterAreProtectedToo() throws Exception {
        given("like: settled\nclaims: {c-0: {prunable: true}, c-2: {prunable: true, deleting: true}}");
        leftClaims = objects.orElseThrow().claims();
        objects = Optional.empty();
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).containsExactly("mark PersistentVolumeClaim c-0");
        kube.refuses("mark PersistentVolumeClaim c-0");
        assertThat(run()).as("a policy may be changed").isPresent();
    }

    @Test
    void cautionsComeWithTheLock() throws Exception {
        given("cluster: {replicas: 2}");
        run();
        assertThat(kube.told()).extracting(Notice::reason).startsWith("EvenReplicas", "BootstrapStarted");
    }

    private static Answer wellAnswer() {
        var listed = new ListedMember(new MemberId(0xa0), "c-0", List.of("http://c-0.c.ns.svc:2380"), List.of(), false);
        var status = TypicalStatus.of(
                new ClusterId(0xc1), new MemberId(0xa0), "3.6.16", 1, new MemberId(0xa0), false, 1, 1, List.of());
        return new Answer.Spoke(NOW, status, List.of(listed), Optional.empty());
    }

    private final EtcdClient.Factory etcd = endpoint -> {
        throw new AssertionError("nobody's members were to be changed");
    };

    private Optional<Duration> run() throws StaleViewException {
        return pass().run(KEY);
    }

    private ClusterPass pass() {
        var clock = Clock.fixed(NOW, ZoneOffset.UTC);
        return new ClusterPass(
                new OneCluster(),
                kube,
                probes,
                new MembershipChanger(etcd),
                workshop,
                "cluster.local",
                () -> Optional.of(clock.instant()),
                clock);
    }

    private void given(String view) {
        objects = Optional.of(ScenarioObjects.of(ScenarioView.read(Serialization.unmarshal(view, JsonNode.class))));
    }

    private Condition condition(String type) {
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

    private static final class AskedFor implements Probes {
        private Map<PeerName, Endpoint> members = Map.of();
        private boolean settled;
        private Map<PeerName, Answer> answers = Map.of();

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
