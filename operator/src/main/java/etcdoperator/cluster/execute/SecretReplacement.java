package etcdoperator.cluster.execute;

import etcdoperator.api.EtcdCluster;
import etcdoperator.manifest.Ages;
import etcdoperator.manifest.Orders;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;

/** How a Secret that was made takes the place of the one that is stored. */
final class SecretReplacement {
    private SecretReplacement() {}

    /** It replaces exactly what was seen: another version of it is refused by the API server. */
    static void of(Secret stored, Secret made, EtcdCluster cluster) {
        made.getMetadata().setUid(stored.getMetadata().getUid());
        made.getMetadata().setResourceVersion(stored.getMetadata().getResourceVersion());
        if (isOrphan(stored, cluster)) {
            made.getMetadata().setOwnerReferences(List.of());
        }
    }

    /**
     * A deletion that spares dependents takes their owner away, and the cache may still have the cluster. With an owner
     * that is gone, garbage collection would delete the Secret, and with it the key of a certificate authority.
     */
    private static boolean isOrphan(Secret stored, EtcdCluster cluster) {
        return stored.getMetadata().getOwnerReferences().isEmpty()
                && !Ages.isYounger(cluster, stored)
                // cert-manager makes Secrets without an owner.
                && !Orders.isFilled(stored);
    }
}
