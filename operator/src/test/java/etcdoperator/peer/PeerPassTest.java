package etcdoperator.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Drift;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.Notice;
import etcdoperator.kube.RecordingKube;
import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.PeerReplicaSet;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerPassTest {
    private static final KubeCache.PeerKey KEY = new KubeCache.PeerKey("ns", "c-0");

    private final RecordingKube kube = new RecordingKube();
    private final EtcdPeer peer = peer();
    private Optional<ReplicaSet> replicaSet = Optional.empty();
    private List<Pod> pods = List.of();
    private boolean peerIsThere = true;
    private Optional<EtcdBackup> backup = Optional.empty();

    @Test
    void aPeerGetsItsReplicaSet() throws Exception {
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).containsExactly("create ReplicaSet c-0");
        assertThat(kube.told()).containsExactly(Notice.normal("ReplicaSetCreated", "Created ReplicaSet c-0"));
    }

    /** Two etcd processes on one volume must never be. */
    @Test
    void thePodOfADeletedReplicaSetIsWaitedFor() throws Exception {
        pods = List.of(podOn("c-0"));
        assertThat(run()).isPresent();
        assertThat(kube.calls()).isEmpty();
    }

    /** A ReplicaSet keeps the pod it has, whatever its template says: the replacement would never start. */
    @Test
    void aPodOnAnOldVolumeMakesRoomFirst() throws Exception {
        replicaSet = Optional.of(desired());
        pods = List.of(podOn("c-0-old-volume"));
        run();
        assertThat(kube.calls()).containsExactly("apply ReplicaSet c-0");
        assertThat(kube.applied())
                .singleElement()
                .satisfies(set ->
                        assertThat(((ReplicaSet) set).getSpec().getReplicas()).isZero());
    }

    @Test
    void onceItIsOnItsWayOutTheNextMayCome() throws Exception {
        replicaSet = Optional.of(desired());
        Pod ending = podOn("c-0-old-volume");
        ending.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
        pods = List.of(ending, podOn("c-0"));
        run();
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void aPodThatNobodyOwnsIsTakenUp() throws Exception {
        pods = List.of(new PodBuilder()
                .withNewMetadata()
                .withName("c-0-orphan")
                .endMetadata()
                .build());
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).containsExactly("create ReplicaSet c-0");
    }

    @Test
    void aReplicaSetThatIsRightIsLeftAlone() throws Exception {
        replicaSet = Optional.of(desired());
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void aTemplateThatDiffersIsBroughtBack() throws Exception {
        ReplicaSet edited = desired();
        edited.getSpec().setReplicas(0);
        replicaSet = Optional.of(edited);
        run();
        assertThat(kube.calls()).containsExactly("apply ReplicaSet c-0");
    }

    @Test
    void aPeerThatIsGoneOrGoingGetsNothing() throws Exception {
        peer.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
        assertThat(run()).isEmpty();
        peerIsThere = false;
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void aPeerMadeByHandGetsNothing() throws Exception {
        peer.getMetadata().setOwnerReferences(List.of());
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void theReplicaSetOfAnEarlierPeerIsWaitedFor() {
        ReplicaSet other = desired();
        other.getMetadata().getOwnerReferences().getFirst().setUid("earlier");
        replicaSet = Optional.of(other);
        assertThatThrownBy(this::run).isInstanceOf(StaleViewException.class).hasMessageContaining("earlier peer");
        assertThat(kube.calls()).isEmpty();
    }

    @Test
    void aRefusalIsToldAndTriedAgain() throws Exception {
        kube.refuses("create ReplicaSet c-0");
        assertThat(run()).isPresent();
        assertThat(kube.told())
                .containsExactly(Notice.warning("Refused", "The API server refuses create ReplicaSet c-0"));
    }

    @Test
    void whileABackupReadsTheVolumeNobodyRunsOnIt() throws Exception {
        replicaSet = Optional.of(desired());
        peer.getMetadata().setAnnotations(Map.of(Labels.READ_BY, "b/u"));
        backup = Optional.of(backup("u", ""));
        assertThat(run()).as("looks again by itself").isPresent();
        assertThat(kube.applied())
                .singleElement()
                .satisfies(set ->
                        assertThat(((ReplicaSet) set).getSpec().getReplicas()).isZero());
    }

    /** Whatever becomes of a backup, it leaves no member stopped. */
    @Test
    void aMarkOfABackupThatIsOverOrGoneCountsForNothing() throws Exception {
        replicaSet = Optional.of(desired());
        peer.getMetadata().setAnnotations(Map.of(Labels.READ_BY, "b/u"));
        assertThat(run()).isEmpty();
        for (EtcdBackup other : List.of(
                backup("another", ""),
                backup("u", "status: {phase: Failed, completionTime: '2026-01-01T12:00:00Z'}"))) {
            backup = Optional.of(other);
            assertThat(run()).isEmpty();
        }
        EtcdBackup going = backup("u", "");
        going.getMetadata().setDeletionTimestamp("2026-01-01T12:00:00Z");
        backup = Optional.of(going);
        assertThat(run()).isEmpty();
        assertThat(kube.calls()).isEmpty();
    }

    private static EtcdBackup backup(String uid, String status) {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdBackup
                metadata: {name: b, namespace: ns, uid: %s}
                spec: {source: {cluster: c}, destination: {volume: {claimName: backups}}}
                %s
                """.formatted(uid, status), EtcdBackup.class);
    }

    private Optional<java.time.Duration> run() throws StaleViewException {
        return new PeerPass(new OnePeer(), kube, IpFamily.IPV4).run(KEY);
    }

    private static Pod podOn(String claim) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("pod-on-" + claim)
                .addNewOwnerReference()
                .withKind("ReplicaSet")
                .withUid("set")
                .endOwnerReference()
                .endMetadata()
                .withNewSpec()
                .addNewVolume()
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .endPersistentVolumeClaim()
                .endVolume()
                .endSpec()
                .build();
    }

    private ReplicaSet desired() {
        return Drift.stamped(PeerReplicaSet.of(peer, IpFamily.IPV4));
    }

    private static EtcdPeer peer() {
        return Serialization.unmarshal("""
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdPeer
                metadata:
                  name: c-0
                  namespace: ns
                  uid: peer-uid
                  ownerReferences: [{apiVersion: etcd.improbable.io/v1alpha1, kind: EtcdCluster, name: c, uid: u1, controller: true}]
                spec:
                  clusterName: c
                  version: 3.6.16
                  image: {reference: "quay.io/coreos/etcd:v3.6.16", pullPolicy: IfNotPresent}
                  storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}
                  bootstrap: {static: {initialCluster: [{name: c-0, host: c-0.c.ns.svc}]}, initialClusterState: Existing}
                  claimName: c-0
                """, EtcdPeer.class);
    }

    private final class OnePeer implements KubeCache {
        @Override
        public Optional<ClusterObjects> cluster(ClusterKey key) {
            EtcdCluster cluster = Serialization.unmarshal("""
                    apiVersion: etcd.improbable.io/v1alpha1
                    kind: EtcdCluster
                    metadata: {name: c, namespace: ns, uid: u1}
                    spec: {replicas: 1, version: 3.6.16, storage: {volumeClaimTemplate: {}}}
                    """, EtcdCluster.class);
            return backup.map(taken -> new ClusterObjects(
                    cluster,
                    List.of(peer),
                    List.of(),
                    List.of(),
                    pods,
                    List.of(),
                    List.of(),
                    List.of(taken),
                    List.of(),
                    List.of(),
                    Set.of(),
                    Set.of(),
                    Map.of()));
        }

        @Override
        public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
            return List.of();
        }

        @Override
        public Optional<PeerObjects> peer(PeerKey key) {
            return peerIsThere && key.equals(KEY)
                    ? Optional.of(new PeerObjects(peer, replicaSet, pods))
                    : Optional.empty();
        }
    }
}
