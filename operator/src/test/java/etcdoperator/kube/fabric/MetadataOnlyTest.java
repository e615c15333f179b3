package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.SecretList;
import org.junit.jupiter.api.Test;

class MetadataOnlyTest {
    /** As kube-apiserver 1.36 answers where there is no Secret at all. */
    @Test
    void anEmptyListHasNoItems() {
        SecretList list = MetadataOnly.serialization()
                .unmarshal(
                        """
                        {"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
                         "metadata": {"resourceVersion": "7"}, "items": null}""",
                        SecretList.class);
        assertThat(list.getItems()).isEmpty();
        assertThat(list.getMetadata().getResourceVersion()).isEqualTo("7");
    }
}
