package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TiedVolumesTest {
    private static final String HOST_NAME = "kubernetes.io/hostname";

    @Test
    void aVolumeGoesWithTheNodeItIsTiedTo() {
        assertThat(lost(on(HOST_NAME, "a"), node("b"))).containsValue("its volume was on node a, which was deleted");
    }

    @Test
    void aNodeThatIsThereMayComeBackHoweverLongItIsSilent() {
        assertThat(lost(on(HOST_NAME, "a"), node("a"))).isEmpty();
    }

    @Test
    void aNodeOutOfServiceDoesNotComeBack() {
        assertThat(lost(on(HOST_NAME, "a"), outOfService("a")))
                .containsValue("its volume was on node a, which is out of service");
    }

    /** Who brings a node back may forget the taint, and its volumes are there all the same. */
    @Test
    void aNodeThatIsReadyIsInServiceWhateverWasForgottenOnIt() {
        assertThat(lost(on(HOST_NAME, "a"), ready("True", outOfService("a")))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"False", "Unknown"})
    void aNodeOutOfServiceThatIsNotReadyDoesNotComeBack(String ready) {
        assertThat(lost(on(HOST_NAME, "a"), ready(ready, outOfService("a")))).hasSize(1);
    }

    @Test
    void aNodeOutOfServiceThatIsBeingDeletedDoesNotComeBack() {
        Node going = ready("True", outOfService("a"))
                .edit()
                .editMetadata()
                .withDeletionTimestamp("2026-11-15T10:00:00Z")
                .endMetadata()
                .build();

        assertThat(lost(on(HOST_NAME, "a"), going)).hasSize(1);
    }

    @Test
    void aNodeMayBeCalledOtherwiseThanItsHost() {
        Node renamed = node("other")
                .edit()
                .editMetadata()
                .addToLabels(HOST_NAME, "a")
                .endMetadata()
                .build();

        assertThat(lost(on(HOST_NAME, "a"), renamed)).isEmpty();
    }

    @Test
    void aZoneWithoutNodesMayGetOthers() {
        assertThat(lost(on("topology.kubernetes.io/zone", "east"), node("b"))).isEmpty();
    }

    @Test
    void oneOfTwoNodesIsEnough() {
        assertThat(lost(on(HOST_NAME, "a", "b"), node("b"))).isEmpty();
        assertThat(lost(on(HOST_NAME, "a", "b"), node("c"))).hasSize(1);
    }

    @Test
    void oneOfTwoNodesIsEnoughWhereTheOtherIsOutOfService() {
        assertThat(lost(on(HOST_NAME, "a", "b"), outOfService("a"), node("b"))).isEmpty();
        assertThat(lost(on(HOST_NAME, "a", "b"), outOfService("a"), ready("True", outOfService("b"))))
                .isEmpty();
        assertThat(lost(on(HOST_NAME, "a", "b"), outOfService("a"), outOfService("b")))
                .containsValue("its volume was on node a and b, which is out of service");
    }

    @Test
    void aVolumeThatIsTiedToNothingFollowsItsPod() {
        assertThat(lost(new PersistentVolumeBuilder().withNewSpec().endSpec().build(), node("b")))
                .isEmpty();
    }

    /** Caches keep only what a pass reads. */
    @Test
    void theCacheKeepsWhatTiesAndWhatIsDeclared() {
        var nodes = new SlimItemStore<Node>();
        nodes.put("/a", outOfService("a"));
        var volumes = new SlimItemStore<PersistentVolume>();
        volumes.put("/v", on(HOST_NAME, "a"));

        assertThat(lost(volumes.get("/v"), nodes.get("/a"))).hasSize(1);

        nodes.put("/a", ready("True", outOfService("a")));
        assertThat(lost(volumes.get("/v"), nodes.get("/a"))).isEmpty();
    }

    private static Node outOfService(String name) {
        return node(name)
                .edit()
                .withNewSpec()
                .addNewTaint()
                .withKey("node.kubernetes.io/out-of-service")
                .withEffect("NoExecute")
                .endTaint()
                .endSpec()
                .withNewStatus()
                .endStatus()
                .build();
    }

    private static Node ready(String status, Node node) {
        return node.edit()
                .editStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .endCondition()
                .endStatus()
                .build();
    }

    private static PersistentVolume on(String key, String... values) {
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .withNewNodeAffinity()
                .withNewRequired()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey(key)
                .withOperator("In")
                .withValues(values)
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequired()
                .endNodeAffinity()
                .endSpec()
                .build();
    }

    private static Node node(String name) {
        return new NodeBuilder().withNewMetadata().withName(name).endMetadata().build();
    }

    private static Map<String, String> lost(PersistentVolume volume, Node... nodes) {
        var claim = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("c-0")
                .endMetadata()
                .withNewSpec()
                .withVolumeName("v")
                .endSpec()
                .build();
        return new TiedVolumes(List.of(nodes)).lost(List.of(claim), name -> Optional.of(volume));
    }
}
