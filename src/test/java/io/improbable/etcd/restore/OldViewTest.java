package io.improbable.etcd.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdRestore;
import io.improbable.etcd.domain.ObjectKey;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.kube.RestoreCache;
import io.improbable.etcd.manifest.Labels;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator to whom the API server's news of the cluster come late. */
class OldViewTest {
    private static final ObjectKey KEY = new ObjectKey(World.NAMESPACE, "back");
    private static final int MORE_THAN_ENOUGH = 60;

    private final World world = new World();
    private final Others others = new Others(world);
    private EtcdCluster standing = new EtcdCluster();

    @BeforeEach
    void theClusterLiesDownForIt() throws StaleViewException {
        others.wantRestore(true);
        others.haveCluster();
        for (EtcdCluster seen = cluster(); !liesDown(seen); seen = cluster()) {
            standing = seen;
            pass(world);
            if (!liesDown(cluster())) {
                others.act();
            }
        }
    }

    /** Nobody would raise it again. */
    @Test
    void aDeletedOneIsNotLetGoWhileTheClusterLiesDown() throws StaleViewException {
        others.delete();
        RestoreCache behind = key -> world.restore(key).map(this::withTheClusterOfBefore);
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
        assertThat(liesDown(cluster())).isFalse();
    }

    private RestoreCache.RestoreObjects withTheClusterOfBefore(RestoreCache.RestoreObjects now) {
        RestoreCache.Namesakes namesakes = now.namesakes();
        return new RestoreCache.RestoreObjects(
                now.restore(),
                now.others(),
                now.backups(),
                new RestoreCache.Namesakes(
                        Optional.of(standing), namesakes.peers(), namesakes.pods(), namesakes.claims()),
                now.claims(),
                now.jobs(),
                now.pods());
    }

    private void pass(RestoreCache cache) throws StaleViewException {
        new RestorePass(cache, world, "agent:1", false, Others.CLOCK).run(KEY);
    }

    private EtcdCluster cluster() {
        return world.get(EtcdCluster.class, "c").orElseThrow();
    }

    private static boolean liesDown(EtcdCluster cluster) {
        return !cluster.getMetadata()
                .getAnnotations()
                .getOrDefault(Labels.RESTORING, "")
                .isEmpty();
    }
}
