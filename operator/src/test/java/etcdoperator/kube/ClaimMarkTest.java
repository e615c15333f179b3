package etcdoperator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.kube.fabric.ClaimPatch;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClaimMarkTest {
    /** A label that is left out of a merge patch stays; only null takes it away. */
    @Test
    void aLabelThatGoesIsNullInThePatch() {
        var claim = new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("c-0")
                .withUid("u")
                .withResourceVersion("7")
                .endMetadata()
                .build();
        String patch = new KubernetesSerialization()
                .asJson(ClaimPatch.of(claim, new ClaimMark(Map.of(), Set.of("gone"), Map.of("a", "b"), true)));
        assertThat(patch)
                .contains("\"gone\":null", "\"a\":\"b\"", "\"ownerReferences\":[]", "\"resourceVersion\":\"7\"");
    }
}
