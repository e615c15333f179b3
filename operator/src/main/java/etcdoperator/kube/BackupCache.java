package etcdoperator.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ObjectKey;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;

/** What passes over backups and their schedules may read. */
public interface BackupCache {
    Optional<BackupObjects> backup(ObjectKey key);

    Optional<ScheduleObjects> schedule(ObjectKey key);

    /**
     * An EtcdBackup and what belongs to it.
     *
     * @param cluster the one it is taken from, if its spec names one that is there
     * @param jobs those that were made for it, and not for an earlier one of its name
     * @param others all other backups of its namespace
     * @param secrets of those that its spec names, the ones that are there; read only before the backup begins
     */
    record BackupObjects(
            EtcdBackup backup,
            Optional<ClusterObjects> cluster,
            List<Job> jobs,
            List<Pod> pods,
            List<EtcdBackup> others,
            List<Secret> secrets) {}

    /**
     * An EtcdBackupSchedule and what belongs to it.
     *
     * @param backups those that carry the schedule's label
     * @param clusters those that these backups are of, as far as they are there
     * @param drills Jobs that try a backup
     * @param drillPods of these
     */
    record ScheduleObjects(
            EtcdBackupSchedule schedule,
            List<EtcdBackup> backups,
            List<EtcdCluster> clusters,
            List<Job> drills,
            List<Pod> drillPods) {}
}
