package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What passes over restores may read. */
public interface RestoreCache {
    Optional<RestoreObjects> restore(ObjectKey key);

    /** Claims that were made for a restore of this name, or set aside by it, whether it is there or not. */
    default List<PersistentVolumeClaim> claimsOf(ObjectKey restore) {
        return restore(restore).map(RestoreObjects::claims).orElse(List.of());
    }

    /**
     * An EtcdRestore and what has to do with it.
     *
     * @param others EtcdRestores of its namespace that name the same cluster
     * @param backups of its namespace
     * @param namesakes what carries the name of the cluster that it makes or restores
     * @param claims those that were made for a restore of its name, or set aside by it
     * @param jobs those that were made for it, and not for an earlier one of its name
     * @param pods those that were made for a restore of its name, also where their Job is gone
     */
    record RestoreObjects(
            EtcdRestore restore,
            List<EtcdRestore> others,
            List<EtcdBackup> backups,
            Namesakes namesakes,
            List<PersistentVolumeClaim> claims,
            List<Job> jobs,
            List<Pod> pods) {}

    /**
     * All of a cluster that may outlive it, whether it is there or not.
     *
     * @param lostVolumes claims whose volumes only nodes had that are gone
     */
    record Namesakes(
            Optional<EtcdCluster> cluster,
            List<EtcdPeer> peers,
            List<Pod> pods,
            List<PersistentVolumeClaim> claims,
            Set<String> lostVolumes) {}

    /** Where namesakes are looked for. */
    interface NamesakeCache {
        Namesakes namesakes(ClusterKey key);
    }
}
