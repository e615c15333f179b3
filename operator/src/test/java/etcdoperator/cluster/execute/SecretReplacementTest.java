package etcdoperator.cluster.execute;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretReplacementTest {
    private static final OwnerReference OWNER =
            new OwnerReferenceBuilder().withUid("uid-1").build();

    @Test
    void replacesTheVersionThatWasSeen() {
        Secret made = replaced(stored("2026-01-01T00:00:05Z", OWNER), "2026-01-01T00:00:00Z");

        assertThat(made.getMetadata().getUid()).isEqualTo("uid-2");
        assertThat(made.getMetadata().getResourceVersion()).isEqualTo("7");
        assertThat(made.getMetadata().getOwnerReferences()).containsExactly(OWNER);
    }

    /** The cluster may have been deleted, and its dependents spared, without the cache knowing yet. */
    @Test
    void ofThisClusterButOrphanedItStaysWithoutAnOwner() {
        Secret made = replaced(stored("2026-01-01T00:00:05Z"), "2026-01-01T00:00:00Z");

        assertThat(made.getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void leftByAnEarlierClusterItGetsTheNewOne() {
        Secret made = replaced(stored("2026-01-01T00:00:05Z"), "2026-01-01T00:00:09Z");

        assertThat(made.getMetadata().getOwnerReferences()).containsExactly(OWNER);
    }

    @Test
    void madeByCertManagerItGetsTheClusterThatTakesItOver() {
        Secret stored = stored("2026-01-01T00:00:05Z");
        stored.getMetadata().setAnnotations(Map.of("cert-manager.io/certificate-name", "c-server"));

        assertThat(replaced(stored, "2026-01-01T00:00:00Z").getMetadata().getOwnerReferences())
                .containsExactly(OWNER);
    }

    private static Secret replaced(Secret stored, String clusterMade) {
        var cluster = new EtcdCluster();
        cluster.setMetadata(
                new ObjectMetaBuilder().withCreationTimestamp(clusterMade).build());
        Secret made = new SecretBuilder()
                .withNewMetadata()
                .withOwnerReferences(OWNER)
                .endMetadata()
                .build();
        SecretReplacement.of(stored, made, cluster);
        return made;
    }

    private static Secret stored(String made, OwnerReference... owners) {
        return new SecretBuilder()
                .withNewMetadata()
                .withUid("uid-2")
                .withResourceVersion("7")
                .withCreationTimestamp(made)
                .withOwnerReferences(owners)
                .endMetadata()
                .build();
    }
}
