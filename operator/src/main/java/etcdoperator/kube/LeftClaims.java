package etcdoperator.kube;

import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.ArgoCd;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims that no pass over a cluster sees: those of a deleted cluster, and those that restores fill or have set aside.
 * They may be all that is left of somebody's data, so Argo CD must not delete them either.
 */
public final class LeftClaims {
    private static final Logger LOG = LoggerFactory.getLogger(LeftClaims.class);

    private LeftClaims() {}

    /** Those that carry no cluster's name. */
    public static List<PersistentVolumeClaim> withoutCluster(List<PersistentVolumeClaim> claims) {
        return claims.stream()
                .filter(claim -> !claim.getMetadata().getLabels().containsKey(Labels.CLUSTER))
                .toList();
    }

    /** @return whether all of them are protected now; otherwise the API server has refused, and may not the next time */
    public static boolean protect(List<PersistentVolumeClaim> claims, Kube kube) throws StaleViewException {
        boolean all = true;
        for (PersistentVolumeClaim claim : claims) {
            if (ArgoCd.mayPrune(claim) && claim.getMetadata().getDeletionTimestamp() == null) {
                all &= protect(claim, kube);
            }
        }
        return all;
    }

    private static boolean protect(PersistentVolumeClaim claim, Kube kube) throws StaleViewException {
        String name =
                claim.getMetadata().getNamespace() + "/" + claim.getMetadata().getName();
        try {
            kube.mark(claim, ClaimMark.leftAlone(claim));
            LOG.info("Protected claim {} from pruning by Argo CD", name);
            return true;
        } catch (RefusedException e) {
            LOG.warn("Cannot protect claim {} from pruning by Argo CD: {}", name, e.why());
            return false;
        }
    }
}
