package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People write annotations of claims by hand when they bring one back. */
class SpoiltAnnotationsTest {
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);

    @ParameterizedTest
    @ValueSource(strings = {Labels.CLUSTER_ID, Labels.VERSION})
    void theyStopNoRestore(String annotation) throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        spoil("c-0", annotation);
        run();
        assertThat(phase()).isEqualTo(RestorePhase.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(strings = {Labels.CLUSTER_ID, Labels.VERSION})
    void norThatOfASurvivor(String annotation) throws StaleViewException {
        others.wantSalvage("");
        others.haveCluster();
        spoil("c-0", annotation);
        run();
        assertThat(phase()).isEqualTo(RestorePhase.COMPLETED);
    }

    private void spoil(String name, String annotation) {
        PersistentVolumeClaim claim =
                world.get(PersistentVolumeClaim.class, name).orElseThrow();
        claim.getMetadata().getAnnotations().put(annotation, "v0x9b");
        world.put(claim);
    }

    private RestorePhase phase() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus().phase();
    }

    private void run() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            new RestorePass(world, world.kube(), AnyAgents.of("agent:1"), false, Others.CLOCK)
                    .run(new ObjectKey(World.NAMESPACE, "back"));
            others.act();
        }
    }
}
