package etcdoperator.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.api.PeerPhase;
import etcdoperator.cluster.ClusterPassStage.AskedFor;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Endpoint;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.Notice;
import etcdoperator.kube.RecordingKube;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The order in which a pass does things, and what it does when the API server says no. */
class ClusterPassTest {
    private static final String ANEW = "cluster: {replicas: 1}\ndrift: [Service c missing]";

    private final ClusterPassStage stage = new ClusterPassStage();
    private final RecordingKube kube = stage.kube();
    private final AskedFor probes = stage.probes();

    @Test
    void theLockIsTakenBeforeAnythingElse() throws Exception {
        stage.given(ANEW);
        assertThat(stage.run()).isPresent();
        assertThat(kube.calls())
                .startsWith("status EtcdCluster c")
                .containsSubsequence("create PersistentVolumeClaim c-0", "create EtcdPeer c-0")
                .contains("create Service c");
        assertThat(kube.clusterStatus().orElseThrow().operation().type()).isEqualTo(OperationType.BOOTSTRAP);
        assertThat(kube.told().getFirst()).isEqualTo(Notice.normal("BootstrapStarted", "Bootstrapping c-0"));
    }

    @Test
    void withoutTheLockNothingHappens() {
        stage.given(ANEW);
        kube.findsStale("status EtcdCluster c");
        assertThatThrownBy(stage::run).isInstanceOf(StaleViewException.class);
        assertThat(kube.calls()).containsExactly("status EtcdCluster c");
        assertThat(kube.told()).isEmpty();
    }

    @Test
    void whatFindsTheWorldChangedEndsThePass() {
        stage.given(ANEW);
        kube.findsStale("create PersistentVolumeClaim c-0");
        assertThatThrownBy(stage::run).isInstanceOf(StaleViewException.class);
        assertThat(kube.calls()).doesNotContain("create EtcdPeer c-0");
    }

    @Test
    void aRefusalIsToldInTheApiServersWordsAndTriedAgain() throws Exception {
        stage.given(ANEW);
        kube.refuses("create PersistentVolumeClaim c-0");
        assertThat(stage.run()).isPresent();
        assertThat(kube.calls()).doesNotContain("create EtcdPeer c-0").endsWith("status EtcdCluster c");
        assertThat(stage.condition("Degraded").getReason()).isEqualTo("Refused");
        assertThat(stage.condition("Degraded").getMessage())
                .isEqualTo("The API server refuses create PersistentVolumeClaim c-0");
        assertThat(stage.condition("Available").getReason()).isEqualTo("Blocked");
        assertThat(kube.told())
                .contains(Notice.warning("Refused", "The API server refuses create PersistentVolumeClaim c-0"));
    }

    @Test
    void whoIsHeldIsToldWhyAndNothingIsMade() throws Exception {
        stage.given(ANEW);
        assertThat(stage.pass().hold(ClusterPassStage.KEY, new Problem(Problem.Kind.Refused, "Not yet")))
                .isPresent();
        assertThat(kube.calls()).containsExactly("status EtcdCluster c");
        assertThat(stage.condition("Degraded").getMessage()).isEqualTo("Not yet");
        assertThat(kube.clusterStatus().orElseThrow().operation()).isNull();
    }

    @Test
    void evenARefusedReportEndsWell() throws Exception {
        stage.given(ANEW);
        kube.refuses("status EtcdCluster c");
        assertThat(stage.run()).isPresent();
    }

    @Test
    void podsWithAddressesAreAskedEagerlyUntilAllIsWell() throws Exception {
        stage.given(
                "like: founding\npods: {c-1: {state: founder, pending: true}, c-2: {state: founder, deleting: true}}");
        assertThat(stage.run()).isPresent();
        assertThat(probes.members())
                .containsExactly(Map.entry(PeerName.parse("c-0"), Endpoint.plain("10.0.0.1", 2379)));
        assertThat(probes.isSettled()).isFalse();
    }

    @Test
    void aClusterThatIsGoneOrGoingIsNotAskedAnyMore() throws Exception {
        stage.given("like: settled");
        stage.run();
        assertThat(probes.members()).hasSize(3);
        kube.calls().clear();
        stage.objects().cluster().getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
        assertThat(stage.run()).isEmpty();
        assertThat(probes.members()).isEmpty();
        stage.removeCluster();
        assertThat(stage.run()).isEmpty();
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void saidAgainNothingIsWritten() throws Exception {
        stage.given("cluster: {replicas: 0}");
        assertThat(stage.run()).isEmpty();
        assertThat(kube.calls()).containsExactly("status EtcdCluster c");
        stage.objects().cluster().setStatus(kube.clusterStatus().orElseThrow());
        assertThat(stage.run()).isEmpty();
        assertThat(kube.calls()).hasSize(1);
        assertThat(probes.isSettled()).isTrue();
    }

    @Test
    void whereAllIsWellNothingIsDoneUntilSomethingHappens() throws Exception {
        stage.given("like: settled\ncluster: {replicas: 1}");
        probes.answer(Map.of(PeerName.parse("c-0"), ClusterPassStage.wellAnswer()));
        assertThat(stage.run()).isEmpty();
        assertThat(probes.isSettled()).isTrue();
    }

    /** The member answers and its pod is not ready: one of them knows more than the other. */
    @Test
    void aPodThatIsNotReadyKeepsTheProbesEager() throws Exception {
        stage.given("like: settled\ncluster: {replicas: 1}");
        stage.objects().pods().getFirst().getStatus().getConditions().getFirst().setStatus("False");
        probes.answer(Map.of(PeerName.parse("c-0"), ClusterPassStage.wellAnswer()));
        assertThat(stage.run()).isPresent();
        assertThat(probes.isSettled()).isFalse();
    }

    @Test
    void peersAreReportedOnceEachAndOnlyWhenTheirStatusChanges() throws Exception {
        stage.given("like: settled\ncluster: {replicas: 1}");
        probes.answer(Map.of(PeerName.parse("c-0"), ClusterPassStage.wellAnswer()));
        stage.run();
        assertThat(kube.calls()).containsOnlyOnce("status EtcdPeer c-0");
        EtcdPeer peer = stage.objects().peers().getFirst();
        EtcdPeer written = kube.peers().getFirst();
        assertThat(written.getMetadata()).isEqualTo(peer.getMetadata());
        assertThat(written.getSpec()).isEqualTo(peer.getSpec());
        assertThat(written.getStatus().memberId()).isEqualTo("a0");
        assertThat(written.getStatus().phase()).isEqualTo(PeerPhase.RUNNING);
        peer.setStatus(written.getStatus());
        kube.calls().clear();
        stage.run();
        assertThat(kube.calls()).doesNotContain("status EtcdPeer c-0");
    }

    @Test
    void phasesThatPassQuicklyAreNotWrittenDown() throws Exception {
        stage.given("like: founding\ncluster: {replicas: 1}\noperation: {type: Bootstrap, ago: PT9S}");
        stage.run();
        assertThat(kube.calls()).doesNotContain("status EtcdPeer c-0");
        stage.given("like: founding\ncluster: {replicas: 1}\noperation: {type: Bootstrap, ago: PT10S}");
        stage.run();
        assertThat(kube.calls()).contains("status EtcdPeer c-0");
    }

    @Test
    void aMemberThatIsWellIsWrittenDownAtOnce() throws Exception {
        stage.given("like: settled\ncluster: {replicas: 1}\noperation: {type: Bootstrap, ago: PT1S}");
        probes.answer(Map.of(PeerName.parse("c-0"), ClusterPassStage.wellAnswer()));
        stage.run();
        assertThat(kube.calls()).contains("status EtcdPeer c-0");
        assertThat(kube.told()).extracting(Notice::reason).contains("BootstrapFinished");
    }

    @Test
    void whoWasJustSealedIsReportedByTheNextPass() throws Exception {
        stage.given("like: founding\ncluster: {replicas: 1}");
        probes.answer(Map.of(PeerName.parse("c-0"), ClusterPassStage.wellAnswer()));
        assertThat(stage.run()).isPresent();
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
        stage.given("like: settled\ncluster: {replicas: 1}\nunreachable: nobody");
        stage.objects().support().getFirst().getMetadata().getLabels().clear();
        stage.run();
        assertThat(kube.calls()).containsExactly("apply Service c", "status EtcdCluster c", "status EtcdPeer c-0");
    }

    /** As operators before this one made them. */
    @Test
    void claimsThatArgoCdWouldPruneAreMarkedWithoutTouchingAnyPod() throws Exception {
        stage.given("like: settled\ncluster: {replicas: 1}");
        probes.answer(Map.of(PeerName.parse("c-0"), ClusterPassStage.wellAnswer()));
        stage.objects().claims().getFirst().getMetadata().getLabels().put("app.kubernetes.io/instance", "c");
        stage.run();
        assertThat(kube.calls())
                .containsExactly("mark PersistentVolumeClaim c-0", "status EtcdCluster c", "status EtcdPeer c-0");
    }

    /** They are all that is left of its data. */
    @Test
    void claimsOfADeletedClusterAreProtectedToo() throws Exception {
        stage.given("like: settled\nclaims: {c-0: {prunable: true}, c-2: {prunable: true, deleting: true}}");
        stage.leave(stage.objects().claims());
        stage.removeCluster();
        assertThat(stage.run()).isEmpty();
        assertThat(kube.calls()).containsExactly("mark PersistentVolumeClaim c-0");
        kube.refuses("mark PersistentVolumeClaim c-0");
        assertThat(stage.run()).as("a policy may be changed").isPresent();
    }

    @Test
    void cautionsComeWithTheLock() throws Exception {
        stage.given("cluster: {replicas: 2}");
        stage.run();
        assertThat(kube.told()).extracting(Notice::reason).startsWith("EvenReplicas", "BootstrapStarted");
    }
}
