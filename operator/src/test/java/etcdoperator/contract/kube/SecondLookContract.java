package etcdoperator.contract.kube;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What was concluded from caches is held against what the API server itself knows. */
public abstract class SecondLookContract extends KubeTrial {
    @Test
    void claimsAreAsTheyWereSeen() throws Exception {
        kube().requireAsSeen(seen(List.of(), Map.of()));
        PersistentVolumeClaim claim = stage.make(claim());
        kube().requireAsSeen(seen(List.of(claim), Map.of()));
    }

    @Test
    void aClaimIsBack() {
        stage.make(claim());
        assertStale(seen(List.of(), Map.of()));
    }

    @Test
    void aClaimIsGone() {
        PersistentVolumeClaim claim = stage.make(claim());
        stage.remove(claim);
        assertStale(seen(List.of(claim), Map.of()));
    }

    @Test
    void aClaimIsAnotherOneOfItsName() {
        PersistentVolumeClaim claim = stage.make(claim());
        stage.remove(claim);
        stage.make(claim());
        assertStale(seen(List.of(claim), Map.of()));
    }

    @Test
    void aClaimWasChanged() throws Exception {
        PersistentVolumeClaim claim = stage.make(claim());
        kube().annotate(claim, Map.of("one", "1"));
        assertStale(seen(List.of(claim), Map.of()));
    }

    @Test
    void theVolumeOfNoNodeIsNotLost() {
        PersistentVolumeClaim claim = stage.make(claim());
        assertStale(seen(List.of(claim), Map.of(claim.getMetadata().getName(), "its node is gone")));
    }

    protected PersistentVolumeClaim claim() {
        return things().claim(Things.OURS);
    }

    protected void assertStale(ClusterObjects seen) {
        assertThatThrownBy(() -> kube().requireAsSeen(seen)).isInstanceOf(StaleViewException.class);
    }

    protected ClusterObjects seen(List<PersistentVolumeClaim> claims, Map<String, String> lostVolumes) {
        return new ClusterObjects(
                things().cluster(),
                List.of(),
                claims,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Set.of(),
                Set.of(),
                lostVolumes);
    }
}
