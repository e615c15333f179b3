package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.domain.ObjectKey;
import etcdoperator.domain.RestoredIds;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.AnyAgents;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.WrittenDown;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;

/** One EtcdRestore, its passes, and what must have come of them. */
final class RestoreRun {
    static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);

    World world() {
        return world;
    }

    Others others() {
        return others;
    }

    void isNewCluster() {
        PersistentVolumeClaim claim =
                world.get(PersistentVolumeClaim.class, "c-0").orElseThrow();
        RestoredIds ids = ids("http", "c-0");
        assertThat(claim.getMetadata().getAnnotations())
                .containsEntry(Labels.CLUSTER_ID, ids.clusterId().toString())
                .containsEntry(Labels.MEMBER_ID, ids.memberId().toString())
                .containsEntry(Labels.VERSION, "3.6.16");
        assertThat(claim.getMetadata().getOwnerReferences()).isEmpty();
        assertThat(world.get(EtcdCluster.class, "c").orElseThrow().getSpec().version())
                .isEqualTo("3.6.16");
    }

    void isExchanged() {
        String claim = others.claimsOf("c").getFirst();
        assertThat(others.claimsOf("c")).containsExactly(claim);
        assertThat(claim).matches("c-0-[0-9a-f]{8}");
        EtcdCluster cluster = world.get(EtcdCluster.class, "c").orElseThrow();
        assertThat(cluster.getStatus().clusterId())
                .isEqualTo(ids("http", claim).clusterId().toString());
        assertThat(cluster.getMetadata().getAnnotations()).containsEntry(Labels.CLAIM_SEED, "r1");
        for (String old : List.of("c-0", "c-1")) {
            PersistentVolumeClaim aside =
                    world.get(PersistentVolumeClaim.class, old).orElseThrow();
            assertThat(aside.getMetadata().getLabels()).doesNotContainKey(Labels.CLUSTER);
            assertThat(aside.getMetadata().getAnnotations())
                    .containsEntry(Labels.SET_ASIDE_BY, "back")
                    .containsEntry(Labels.CLUSTER_ID, Others.OLD_ID);
        }
        world.get(EtcdRestore.class, "back").ifPresent(restore -> {
            assertThat(restore.getMetadata().getFinalizers()).isEmpty();
            assertThat(restore.getStatus().setAsideClaims()).containsExactly("c-0", "c-1");
        });
    }

    static RestoredIds ids(String scheme, String claim) {
        return RestoredIds.of("%s://%s.c.ns.svc:2380".formatted(scheme, claim), "r1");
    }

    EtcdRestoreStatus status() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus();
    }

    void toTheEnd() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            pass();
            others.act();
        }
    }

    void untilTheCrash() throws StaleViewException {
        for (int pass = 0; pass < MORE_THAN_ENOUGH && !pass(); pass++) {
            others.act();
        }
    }

    /** @return whether the operator crashed in it */
    boolean pass() throws StaleViewException {
        try {
            new RestorePass(world, world.kube(), AnyAgents.of("agent:1"), false, Others.CLOCK).run(KEY);
            return false;
        } catch (WrittenDown.Death e) {
            return true;
        }
    }
}
