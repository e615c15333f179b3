package etcdoperator.contract.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerPhase;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Owned;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How the API server answers to what the operator does: the difference between looking again and asking a person. */
public abstract class KubeContract extends KubeTrial {
    private static final Map<String, String> OURS = Things.OURS;

    @Test
    void aClaimIsMadeOnce() throws Exception {
        kube().create(claim(OURS));
        assertThatThrownBy(() -> kube().create(claim(OURS))).isInstanceOf(StaleViewException.class);
    }

    @Test
    void aPeerIsMadeOnce() throws Exception {
        kube().create(peer());
        assertThatThrownBy(() -> kube().create(peer())).isInstanceOf(StaleViewException.class);
    }

    @Test
    void aServiceIsMadeOnceAndAppliedAfter() throws Exception {
        kube().create(service(OURS, 1));
        assertThatThrownBy(() -> kube().create(service(OURS, 1))).isInstanceOf(StaleViewException.class);
        kube().apply(service(OURS, 2));
        assertThat(stage.get(service(OURS, 2))
                        .orElseThrow()
                        .getSpec()
                        .getPorts()
                        .getFirst()
                        .getPort())
                .isEqualTo(2);
    }

    @Test
    void whatCarriesAUidIsAppliedOverThatVeryObject() throws Exception {
        Service seen = stage.make(service(OURS, 1));
        Service wanted = service(OURS, 1);
        wanted.getMetadata().setUid(seen.getMetadata().getUid());
        kube().apply(wanted);
        stage.remove(seen);
        assertThatThrownBy(() -> kube().apply(wanted)).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(seen)).isEmpty();
        stage.make(service(OURS, 1));
        assertThatThrownBy(() -> kube().apply(wanted)).isInstanceOf(StaleViewException.class);
    }

    @Test
    void whatIsSomebodyElsesIsRefused() {
        stage.make(claim(Map.of()));
        stage.make(service(Map.of(), 1));
        assertThatThrownBy(() -> kube().create(claim(OURS))).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> kube().create(service(OURS, 2))).isInstanceOf(RefusedException.class);
        assertThat(stage.get(service(OURS, 2))
                        .orElseThrow()
                        .getSpec()
                        .getPorts()
                        .getFirst()
                        .getPort())
                .isEqualTo(1);
    }

    @Test
    void labelsAreSetOnThisVeryObject() throws Exception {
        Service seen = stage.make(service(OURS, 1));
        kube().label(seen, Map.of("mine", "2"));
        kube().label(seen, Map.of("mine", "3"));
        assertThat(stage.get(seen).orElseThrow().getMetadata().getLabels()).containsEntry("mine", "3");
        stage.remove(seen);
        stage.make(service(OURS, 1));
        assertThatThrownBy(() -> kube().label(seen, Map.of("mine", "4"))).isInstanceOf(StaleViewException.class);
    }

    @Test
    void annotationsAreAdded() throws Exception {
        PersistentVolumeClaim claim = stage.make(claim(OURS));
        kube().annotate(claim, Map.of("one", "1"));
        kube().annotate(stage.get(claim).orElseThrow(), Map.of("two", "2"));
        assertThat(stage.get(claim).orElseThrow().getMetadata().getAnnotations())
                .containsEntry("one", "1")
                .containsEntry("two", "2");
    }

    @Test
    void aClaimIsAnnotatedOnlyAsItWasSeen() throws Exception {
        PersistentVolumeClaim seen = stage.make(claim(OURS));
        kube().annotate(seen, Map.of("one", "1"));
        assertThatThrownBy(() -> kube().annotate(seen, Map.of("one", "2"))).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(seen).orElseThrow().getMetadata().getAnnotations()).containsEntry("one", "1");
    }

    /** Else the second of two restores would take the cluster from the first. */
    @Test
    void aClusterIsAnnotatedOnlyAsItWasSeen() throws Exception {
        EtcdCluster seen = stage.make(cluster());
        annotateAsItIs(seen);
        assertThatThrownBy(() -> kube().annotate(seen, Map.of("one", "2"))).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(seen).orElseThrow().getMetadata().getAnnotations()).containsEntry("one", "1");
    }

    /** An operator that runs there, too, writes to it meanwhile. */
    private void annotateAsItIs(EtcdCluster seen) {
        await().atMost(Duration.ofMinutes(3)).until(() -> {
            try {
                kube().annotate(stage.get(seen).orElseThrow(), Map.of("one", "1"));
                return true;
            } catch (StaleViewException e) {
                return false;
            }
        });
    }

    @Test
    void otherThingsAreAnnotatedWhateverElseHasChanged() throws Exception {
        Service seen = stage.make(service(OURS, 1));
        kube().annotate(seen, Map.of("one", "1"));
        kube().annotate(seen, Map.of("two", "2"));
        assertThat(stage.get(seen).orElseThrow().getMetadata().getAnnotations()).containsKeys("one", "two");
    }

    @Test
    void aNamesakeIsNotAnnotated() {
        Service seen = stage.make(service(OURS, 1));
        stage.remove(seen);
        assertThatThrownBy(() -> kube().annotate(seen, Map.of("one", "1"))).isInstanceOf(StaleViewException.class);
        stage.make(service(OURS, 1));
        assertThatThrownBy(() -> kube().annotate(seen, Map.of("one", "1"))).isInstanceOf(StaleViewException.class);
    }

    @Test
    void aPeerIsReplacedOnlyAsItWasSeen() throws Exception {
        EtcdPeer seen = stage.make(peer());
        kube().replace(Things.with(seen, InitialClusterState.EXISTING));
        assertThat(Things.state(stage.get(seen).orElseThrow())).isEqualTo(InitialClusterState.EXISTING);
        assertThatThrownBy(() -> kube().replace(Things.with(seen, InitialClusterState.NEW)))
                .isInstanceOf(StaleViewException.class);
        stage.remove(seen);
        assertThatThrownBy(() -> kube().replace(seen)).isInstanceOf(StaleViewException.class);
    }

    @Test
    void statusAndSpecDoNotTouchEachOther() throws Exception {
        EtcdPeer seen = stage.make(peer());
        EtcdPeer reported = Things.with(seen, InitialClusterState.EXISTING);
        reported.setStatus(new EtcdPeerStatus("3.6.16", "1", PeerPhase.RUNNING, "node-1", List.of()));
        kube().replaceStatus(reported);
        EtcdPeer stored = stage.get(seen).orElseThrow();
        assertThat(Things.state(stored)).isEqualTo(InitialClusterState.NEW);
        assertThat(stored.getStatus()).isEqualTo(reported.getStatus());
        kube().replace(Things.with(stored, InitialClusterState.EXISTING));
        assertThat(stage.get(seen).orElseThrow().getStatus()).isEqualTo(reported.getStatus());
        assertThatThrownBy(() -> kube().replaceStatus(reported)).isInstanceOf(StaleViewException.class);
    }

    /** A restore gives claims to a cluster and takes others away from it, each in one write. */
    @Test
    void aClaimIsMarkedOnlyAsItWasSeen() throws Exception {
        PersistentVolumeClaim claim = claim(OURS);
        claim.getMetadata().setOwnerReferences(List.of(Owned.alongWith(stage.make(service(OURS, 1)))));
        PersistentVolumeClaim seen = stage.make(claim);
        var mark = new ClaimMark(Map.of("mine", "1"), Set.of(Labels.CLUSTER), Map.of("one", "1"), true);
        kube().mark(seen, mark);
        ObjectMeta marked = stage.get(seen).orElseThrow().getMetadata();
        assertThat(marked.getLabels()).containsExactlyEntriesOf(Map.of("mine", "1"));
        assertThat(marked.getAnnotations()).containsEntry("one", "1").containsEntry(Labels.BOOTSTRAP_TOKEN, "t");
        assertThat(marked.getOwnerReferences()).isEmpty();
        assertThatThrownBy(() -> kube().mark(seen, mark)).isInstanceOf(StaleViewException.class);
        stage.remove(seen);
        stage.make(claim(OURS));
        assertThatThrownBy(() -> kube().mark(seen, mark)).isInstanceOf(StaleViewException.class);
    }

    /** The last write lets it go again, so that nothing holds up whoever clears away. */
    @Test
    void whatHoldsAnObjectBackIsSetOnlyAsItWasSeen() throws Exception {
        EtcdPeer seen = stage.make(peer());
        OwnerReference owner = Owned.alongWith(stage.make(service(OURS, 1)));
        kube().bind(seen, List.of(Labels.STORED_BACKUP), List.of(owner));
        EtcdPeer bound = stage.get(seen).orElseThrow();
        assertThatThrownBy(() -> kube().bind(seen, List.of(), List.of())).isInstanceOf(StaleViewException.class);
        kube().bind(bound, List.of(), List.of());
        assertThat(bound.getMetadata().getFinalizers()).containsExactly(Labels.STORED_BACKUP);
        assertThat(bound.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsExactly(owner.getUid());
        ObjectMeta free = stage.get(seen).orElseThrow().getMetadata();
        assertThat(free.getFinalizers()).isEmpty();
        assertThat(free.getOwnerReferences()).isEmpty();
    }

    /** As it is done for kinds that have no call of their own. */
    @Test
    void theStatusOfAnyKindIsReplacedOnlyAsItWasSeen() throws Exception {
        EtcdPeer seen = stage.make(peer());
        EtcdPeer reported = Things.with(seen, InitialClusterState.EXISTING);
        reported.setStatus(new EtcdPeerStatus("3.6.16", "1", PeerPhase.RUNNING, "node-1", List.of()));
        CustomResource<?, ?> anything = reported;
        CustomResource<?, ?> stored = kube().replaceStatus(anything);
        assertThat(stored.getStatus()).isEqualTo(reported.getStatus());
        EtcdPeer now = stage.get(seen).orElseThrow();
        assertThat(now.getStatus()).isEqualTo(reported.getStatus());
        assertThat(Things.state(now)).isEqualTo(InitialClusterState.NEW);
        assertThatThrownBy(() -> kube().replaceStatus(anything)).isInstanceOf(StaleViewException.class);
    }

    @Test
    void whatChangesNothingIsNoNews() throws Exception {
        EtcdPeer seen = stage.make(peer());
        kube().replace(seen);
        Service service = stage.make(service(OURS, 1));
        kube().annotate(service, Map.of());
        assertThat(version(stage.get(seen).orElseThrow().getMetadata())).isEqualTo(version(seen.getMetadata()));
        assertThat(version(stage.get(service).orElseThrow().getMetadata())).isEqualTo(version(service.getMetadata()));
    }

    private static String version(ObjectMeta metadata) {
        return metadata.getResourceVersion();
    }

    private PersistentVolumeClaim claim(Map<String, String> labels) {
        return things().claim(labels);
    }

    private Service service(Map<String, String> labels, int port) {
        return things().service(labels, port);
    }

    private EtcdCluster cluster() {
        return things().cluster();
    }

    private EtcdPeer peer() {
        return things().peer();
    }
}
