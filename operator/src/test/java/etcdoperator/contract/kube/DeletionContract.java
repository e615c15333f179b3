package etcdoperator.contract.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.kube.Kube.StaleViewException;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Test;

/** What goes is what was seen, and a pod goes in its own time, or in a second. */
public abstract class DeletionContract extends KubeTrial {
    @Test
    void whatIsDeletedIsWhatWasSeen() throws Exception {
        EtcdPeer seen = stage.make(things().peer());
        kube().replace(Things.with(seen, InitialClusterState.EXISTING));
        assertThatThrownBy(() -> kube().delete(seen)).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(seen)).isPresent();
        kube().delete(stage.get(seen).orElseThrow());
        assertThat(stage.get(seen)).isEmpty();
        assertThatThrownBy(() -> kube().delete(seen)).isInstanceOf(StaleViewException.class);
    }

    @Test
    void aNamesakeIsNotDeleted() {
        EtcdPeer seen = stage.make(things().peer());
        stage.remove(seen);
        EtcdPeer namesake = stage.make(things().peer());
        assertThatThrownBy(() -> kube().delete(seen)).isInstanceOf(StaleViewException.class);
        assertThat(stage.get(namesake)).isPresent();
    }

    @Test
    void aPodOnItsWayOutIsGivenOneMoreSecond() throws Exception {
        Pod pod = stage.make(things().pod());
        kube().delete(pod);
        Pod leaving = stage.get(pod).orElseThrow();
        assertThat(leaving.getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(30);
        kube().delete(leaving);
        assertThat(stage.get(pod).orElseThrow().getMetadata().getDeletionGracePeriodSeconds())
                .isEqualTo(1);
    }
}
