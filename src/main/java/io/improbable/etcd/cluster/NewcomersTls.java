package io.improbable.etcd.cluster;

import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.Kube;
import io.improbable.etcd.kube.Kube.RefusedException;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.kube.KubeCache;
import io.improbable.etcd.kube.Notice;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives TLS to every new cluster whose manifest says nothing of it. It is written into the cluster when it is made, so
 * that an operator with another default changes nothing later. {@code tls: {}} says that plaintext is wanted.
 */
public final class NewcomersTls {
    private static final Logger LOG = LoggerFactory.getLogger(NewcomersTls.class);

    private final KubeCache cache;
    private final Kube kube;

    public NewcomersTls(KubeCache cache, Kube kube) {
        this.cache = cache;
        this.kube = kube;
    }

    /** @return whether the cluster is another one now, and to be looked at once that is seen */
    public boolean isGiven(ClusterKey key) throws StaleViewException {
        Optional<ClusterObjects> newcomer = cache.cluster(key).filter(NewcomersTls::isNew);
        if (newcomer.isEmpty()) {
            return false;
        }
        EtcdCluster cluster = newcomer.get().cluster();
        try {
            kube.record(cluster, TlsSpec.MANAGED);
        } catch (RefusedException e) {
            Notice notice = Notice.warning("Refused", "TLS is not made the cluster's own: " + e.why());
            notice.log(LOG);
            kube.tell(cluster, notice);
            return false;
        }
        Notice notice = Notice.normal(
                "TlsByDefault", "The manifest says nothing of TLS, and the operator's default is managed");
        notice.log(LOG);
        kube.tell(cluster, notice);
        return true;
    }

    private static boolean isNew(ClusterObjects objects) {
        EtcdCluster cluster = objects.cluster();
        return cluster.getSpec().tls() == null
                && cluster.getStatus() == null
                && cluster.getMetadata().getDeletionTimestamp() == null
                && !Boolean.TRUE.equals(cluster.getSpec().paused())
                && objects.peers().isEmpty()
                && objects.claims().isEmpty();
    }
}
