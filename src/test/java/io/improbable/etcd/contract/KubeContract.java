package io.improbable.etcd.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdPeerSpec;
import io.improbable.etcd.api.EtcdPeerStatus;
import io.improbable.etcd.api.ImageSpec;
import io.improbable.etcd.api.PeerBootstrap;
import io.improbable.etcd.api.PeerBootstrap.InitialClusterState;
import io.improbable.etcd.api.PeerBootstrap.InitialMember;
import io.improbable.etcd.api.PeerPhase;
import io.improbable.etcd.api.StorageSpec;
import io.improbable.etcd.kube.Kube;
import io.improbable.etcd.kube.Kube.RefusedException;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.manifest.Labels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the API server answers to what the operator does: the difference between looking again and asking a person. */
public abstract class KubeContract {
    private static final Map<String, String> OURS = Map.of(Labels.CLUSTER, "c");

    private KubeStage stage;

    protected abstract KubeStage open();

    @BeforeEach
    void openStage() {
        stage = open();
    }

    @AfterEach
    void closeStage() {
        stage.close();
    }

    private Kube kube() {
        return stage.kube();
    }

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
        kube().replace(with(seen, InitialClusterState.EXISTING));
        assertThat(state(stage.get(seen).orElseThrow())).isEqualTo(InitialClusterState.EXISTING);
        assertThatThrownBy(() -> kube().replace(with(seen, InitialClusterState.NEW)))
                .isInstanceOf(StaleViewException.class);
        stage.remove(seen);
        assertThatThrownBy(() -> kube().replace(seen)).isInstanceOf(StaleViewException.class);
    }

    @Test
    void whatIsDeletedIsWhatWasSeen() throws Exception {
        EtcdPeer seen = stage.make(peer());
        kube().replace(with(seen, InitialClusterState.EXISTING));
        assertThatThrownBy(() -> kube().delete(seen)).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(seen)).isPresent();
        kube().delete(stage.get(seen).orElseThrow());
        assertThat(stage.get(seen)).isEmpty();
        assertThatThrownBy(() -> kube().delete(seen)).isInstanceOf(StaleViewException.class);
    }

    @Test
    void aNamesakeIsNotDeleted() {
        EtcdPeer seen = stage.make(peer());
        stage.remove(seen);
        EtcdPeer namesake = stage.make(peer());
        assertThatThrownBy(() -> kube().delete(seen)).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(namesake)).isPresent();
    }

    @Test
    void statusAndSpecDoNotTouchEachOther() throws Exception {
        EtcdPeer seen = stage.make(peer());
        EtcdPeer reported = with(seen, InitialClusterState.EXISTING);
        reported.setStatus(new EtcdPeerStatus("3.6.16", "1", PeerPhase.RUNNING, "node-1", List.of()));
        kube().replaceStatus(reported);
        EtcdPeer stored = stage.get(seen).orElseThrow();
        assertThat(state(stored)).isEqualTo(InitialClusterState.NEW);
        assertThat(stored.getStatus()).isEqualTo(reported.getStatus());
        kube().replace(with(stored, InitialClusterState.EXISTING));
        assertThat(stage.get(seen).orElseThrow().getStatus()).isEqualTo(reported.getStatus());
        assertThatThrownBy(() -> kube().replaceStatus(reported)).isInstanceOf(StaleViewException.class);
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

    private ObjectMeta named(String name, Map<String, String> labels) {
        return new ObjectMetaBuilder()
                .withNamespace(stage.namespace())
                .withName(name)
                .withLabels(labels)
                .build();
    }

    /** Of no storage class, so that nobody provides for it while it is looked at. */
    private PersistentVolumeClaim claim(Map<String, String> labels) {
        return new PersistentVolumeClaimBuilder()
                .withMetadata(named("c-0", labels))
                .editMetadata()
                .withAnnotations(Map.of(Labels.BOOTSTRAP_TOKEN, "t"))
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("")
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity("1Mi"))
                .endResources()
                .endSpec()
                .build();
    }

    private Service service(Map<String, String> labels, int port) {
        return new ServiceBuilder()
                .withMetadata(named("c", labels))
                .withNewSpec()
                .withClusterIP("None")
                .addNewPort()
                .withName("client")
                .withPort(port)
                .endPort()
                .endSpec()
                .build();
    }

    private EtcdPeer peer() {
        var peer = new EtcdPeer();
        peer.setMetadata(named("c-0", OURS));
        peer.setSpec(new EtcdPeerSpec(
                "c",
                "3.6.16",
                ImageSpec.DEFAULT.at("3.6.16"),
                new StorageSpec(claim(OURS).getSpec()),
                null,
                null,
                null,
                start(InitialClusterState.NEW),
                "c-0",
                null));
        return peer;
    }

    private static EtcdPeer with(EtcdPeer peer, InitialClusterState state) {
        var changed = new EtcdPeer();
        changed.setMetadata(peer.getMetadata());
        changed.setSpec(peer.getSpec().withBootstrap(start(state)));
        changed.setStatus(peer.getStatus());
        return changed;
    }

    private static PeerBootstrap start(InitialClusterState state) {
        return PeerBootstrap.of(List.of(new InitialMember("c-0", "c-0.c", null)), state, "t");
    }

    private static InitialClusterState state(EtcdPeer peer) {
        return peer.getSpec().bootstrap().initialClusterState();
    }
}
