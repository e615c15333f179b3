package etcdoperator.restore;

import etcdoperator.api.ClusterLineage;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import etcdoperator.domain.ClusterId;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Which backups still have the cluster's data after a restore in place has given it another etcd cluster id. After an
 * automatic recovery, those of the replaced id have. A person who restores a backup does not want what came after it.
 */
final class Lineage {
    private Lineage() {}

    /** A person made the restore, or chose the backup for a recovery. A person who chooses a disk goes back nowhere. */
    static boolean isDeliberate(EtcdRestore restore, EtcdCluster cluster) {
        return !Recoveries.isOne(restore)
                || (restore.getSpec().source().backup() != null
                        && Labels.said(cluster, Labels.RECOVER).isPresent());
    }

    /** @param next the id that the cluster has from now on */
    static ClusterLineage of(EtcdClusterStatus before, ClusterId next, boolean deliberate, Instant now) {
        ClusterLineage lineage = before.lineageOrNone();
        String former = before.clusterId();
        if (next.toString().equals(former)) {
            return lineage;
        }
        if (!lineage.replacedClusterIds().isEmpty()
                && lineage.replacedClusterIds().getFirst().equals(next.toString())) {
            return lineage.withoutLast();
        }
        if (deliberate || former == null) {
            return new ClusterLineage(List.of(), now.truncatedTo(ChronoUnit.SECONDS));
        }
        return lineage.replacing(former);
    }
}
