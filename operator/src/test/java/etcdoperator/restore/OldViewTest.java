package etcdoperator.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.RestoreCache;
import etcdoperator.kube.RestoreCache.Namesakes;
import etcdoperator.kube.RestoreCache.RestoreObjects;
import etcdoperator.manifest.AnyAgents;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator to whom the API server's news of the cluster come late, while another one acts. */
class OldViewTest {
    private static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);

    @BeforeEach
    void aRestoreInPlace() {
        others.wantRestore(true);
        others.haveCluster();
    }

    /** Nobody would raise it again. */
    @Test
    void aDeletedOneIsNotLetGoWhileTheClusterLiesDown() throws StaleViewException {
        EtcdCluster standing = runUntilTheCluster(true).namesakes().cluster().orElseThrow();
        others.delete();
        RestoreCache behind = key -> world.restore(key).map(now -> with(now, now.restore(), standing));
        assertThatThrownBy(() -> {
                    for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
                        pass(behind);
                    }
                })
                .isInstanceOf(StaleViewException.class);
        assertThat(world.get(EtcdRestore.class, "back")).isPresent();

        for (int pass = 0; pass < MORE_THAN_ENOUGH; pass++) {
            pass(world);
            others.act();
        }
        assertThat(world.get(EtcdRestore.class, "back")).isEmpty();
        assertThat(others.clusterLiesDown()).isFalse();
    }

    /** Another operator has seen that it is lost, and puts the others back. */
    @Test
    void noClusterIsStartedOnAClaimThatWasLostMeanwhile() throws StaleViewException {
        runUntilTheCluster(true);
        RestoreObjects before = runUntilTheCluster(false);
        world.put(before.namesakes().cluster().orElseThrow());
        world.put(before.restore());
        RestoreObjects seen = world.restore(KEY).orElseThrow();
        loseTheClaim();
        assertThatThrownBy(() -> pass(key -> Optional.of(seen))).isInstanceOf(StaleViewException.class);
        assertThat(others.clusterLiesDown()).isTrue();
    }

    /** Another operator has not, and has started the cluster. */
    @Test
    void claimsAreNotPutBackUnderAClusterThatWasStartedMeanwhile() throws StaleViewException {
        runUntilTheCluster(true);
        EtcdCluster lying = world.get(EtcdCluster.class, "c").orElseThrow();
        EtcdRestore swapping = runUntilTheCluster(false).restore();
        loseTheClaim();
        RestoreObjects now = world.restore(KEY).orElseThrow();
        assertThatThrownBy(() -> pass(key -> Optional.of(with(now, swapping, lying))))
                .isInstanceOf(StaleViewException.class);
        assertThat(others.claimsOf("c")).isEmpty();
    }

    /** Another operator has seen that the new one is lost, and has started the cluster on those it has. */
    @Test
    void claimsAreNotSetAsideUnderAClusterThatWasStartedMeanwhile() throws StaleViewException {
        runUntilTheCluster(true);
        while (status().stage() != RestoreStage.SWAPPING) {
            others.act();
            pass(world);
        }
        RestoreObjects seen = world.restore(KEY).orElseThrow();
        world.remove(
                world.get(PersistentVolumeClaim.class, status().claimName()).orElseThrow());
        runUntilTheCluster(false);
        assertThatThrownBy(() -> pass(key -> Optional.of(seen))).isInstanceOf(StaleViewException.class);
        assertThat(others.claimsOf("c")).containsExactly("c-0", "c-1");
    }

    private EtcdRestoreStatus status() {
        return world.get(EtcdRestore.class, "back").orElseThrow().getStatus();
    }

    private void loseTheClaim() {
        world.remove(world.get(PersistentVolumeClaim.class, others.claimsOf("c").getFirst())
                .orElseThrow());
    }

    /** @return what was seen before it lay down, or could start again */
    private RestoreObjects runUntilTheCluster(boolean lies) throws StaleViewException {
        while (true) {
            RestoreObjects before = world.restore(KEY).orElseThrow();
            pass(world);
            if (others.clusterLiesDown() == lies) {
                return before;
            }
            others.act();
        }
    }

    private static RestoreObjects with(RestoreObjects now, EtcdRestore restore, EtcdCluster cluster) {
        Namesakes namesakes = now.namesakes();
        return new RestoreObjects(
                restore,
                now.others(),
                now.backups(),
                new Namesakes(
                        Optional.of(cluster),
                        namesakes.peers(),
                        namesakes.pods(),
                        namesakes.claims(),
                        namesakes.lostVolumes()),
                now.claims(),
                now.jobs(),
                now.pods());
    }

    private void pass(RestoreCache cache) throws StaleViewException {
        new RestorePass(cache, world.kube(), AnyAgents.of("agent:1"), false, Others.CLOCK).run(KEY);
    }
}
