package etcdoperator.contract.kube;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On a real API server, with a node that is none of the test bed's. */
class SecondLookIT extends SecondLookContract {
    private final List<Runnable> tidyUp = new ArrayList<>();

    @Override
    protected KubeStage open() {
        return new ApiServerStage();
    }

    @AfterEach
    void tidyUp() {
        tidyUp.reversed().forEach(Runnable::run);
    }

    @Test
    void aNodeIsBackThatAloneHasAVolume() throws Exception {
        String node = stage.namespace();
        PersistentVolumeClaim claim = tiedTo(node);
        var lost = seen(List.of(claim), Map.of(claim.getMetadata().getName(), "its node was deleted"));
        stage.kube().requireAsSeen(lost);

        Node back = stage.make(new NodeBuilder()
                .withNewMetadata()
                .withName(node)
                .endMetadata()
                .withNewSpec()
                .withUnschedulable(true)
                .endSpec()
                .build());
        tidyUp.add(() -> stage.remove(back));
        assertStale(lost);
    }

    private PersistentVolumeClaim tiedTo(String node) {
        PersistentVolume volume = stage.make(new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(node)
                .endMetadata()
                .withNewSpec()
                .withStorageClassName("")
                .withAccessModes("ReadWriteOnce")
                .withCapacity(Map.of("storage", new Quantity("1Mi")))
                .withNewLocal()
                .withPath("/nowhere")
                .endLocal()
                // Nobody binds it while it is somebody else's.
                .withNewClaimRef()
                .withNamespace(stage.namespace())
                .withName("nobody-made-it")
                .endClaimRef()
                .withNewNodeAffinity()
                .withNewRequired()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("kubernetes.io/hostname")
                .withOperator("In")
                .withValues(node)
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequired()
                .endNodeAffinity()
                .endSpec()
                .build());
        tidyUp.add(() -> stage.remove(volume));
        PersistentVolumeClaim claim = claim();
        claim.getSpec().setVolumeName(node);
        return stage.make(claim);
    }
}
