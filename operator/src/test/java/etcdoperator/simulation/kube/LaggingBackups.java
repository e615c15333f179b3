package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The caches of backups and schedules, with watches of their own for each kind of Job. */
public final class LaggingBackups implements BackupCache {
    private final KubeCache clusters;
    private final RecentWrites recent;
    private final Watches backups;
    private final Watches drills;

    public LaggingBackups(
            FakeApiServer server, RecentWrites recent, KubeCache clusters, Consumer<HasMetadata> changed) {
        this.clusters = clusters;
        this.recent = recent;
        this.backups = new Watches(
                server,
                List.of(EtcdBackup.class, EtcdBackupSchedule.class, Job.class, Pod.class),
                object -> object instanceof EtcdBackup
                        || object instanceof EtcdBackupSchedule
                        || object.getMetadata().getLabels().containsKey(Labels.BACKUP),
                new Watches.Listener(changed, recent::forget));
        this.drills = new Watches(
                server,
                List.of(Job.class, Pod.class),
                object -> object.getMetadata().getLabels().containsKey(Labels.DRILL),
                new Watches.Listener(changed, recent::forget));
    }

    public List<Watches> watches() {
        return List.of(backups, drills);
    }

    public <T extends HasMetadata> List<T> all(Class<T> kind) {
        return backups.all(kind);
    }

    List<EtcdBackup> of(ClusterKey cluster) {
        return over(
                backups,
                EtcdBackup.class,
                backup -> cluster.name().equals(backup.getSpec().source().cluster()));
    }

    @Override
    public Optional<BackupObjects> backup(ObjectKey key) {
        recent.expire();
        return one(EtcdBackup.class, key).map(backup -> objectsOf(key, backup));
    }

    private BackupObjects objectsOf(ObjectKey key, EtcdBackup backup) {
        List<Job> own = labelled(backups, Job.class, key, Labels.BACKUP).stream()
                .filter(job -> Objects.controllerUid(job)
                        .equals(Optional.of(backup.getMetadata().getUid())))
                .toList();
        List<String> uids =
                own.stream().map(job -> job.getMetadata().getUid()).toList();
        return new BackupObjects(
                backup,
                Optional.ofNullable(backup.getSpec().source().cluster())
                        .flatMap(name -> clusters.cluster(new ClusterKey(key.namespace(), name))),
                own,
                labelled(backups, Pod.class, key, Labels.BACKUP).stream()
                        .filter(pod ->
                                Objects.controllerUid(pod).filter(uids::contains).isPresent())
                        .toList(),
                all(EtcdBackup.class).stream()
                        .filter(other -> !other.getMetadata().getName().equals(key.name()))
                        .toList(),
                List.of());
    }

    @Override
    public Optional<ScheduleObjects> schedule(ObjectKey key) {
        recent.expire();
        return one(EtcdBackupSchedule.class, key).map(schedule -> objectsOf(key, schedule));
    }

    private ScheduleObjects objectsOf(ObjectKey key, EtcdBackupSchedule schedule) {
        List<EtcdBackup> made = labelled(backups, EtcdBackup.class, key, Labels.SCHEDULE);
        List<EtcdCluster> sources = made.stream()
                .flatMap(backup -> Stream.ofNullable(backup.getSpec().source().cluster()))
                .distinct()
                .flatMap(name -> clusters.cluster(new ClusterKey(key.namespace(), name)).stream())
                .map(ClusterObjects::cluster)
                .toList();
        return new ScheduleObjects(
                schedule,
                made,
                sources,
                labelled(drills, Job.class, key, Labels.DRILL).stream()
                        .filter(job -> Objects.controllerUid(job)
                                .equals(Optional.of(schedule.getMetadata().getUid())))
                        .toList(),
                labelled(drills, Pod.class, key, Labels.DRILL));
    }

    private <T extends HasMetadata> Optional<T> one(Class<T> kind, ObjectKey key) {
        return over(backups, kind, object -> object.getMetadata().getName().equals(key.name())).stream()
                .findFirst();
    }

    private <T extends HasMetadata> List<T> labelled(Watches watches, Class<T> kind, ObjectKey key, String label) {
        return over(
                watches,
                kind,
                object -> key.name().equals(object.getMetadata().getLabels().get(label)));
    }

    private <T extends HasMetadata> List<T> over(Watches watches, Class<T> kind, Predicate<T> wanted) {
        return recent.over(watches.all(kind).stream().filter(wanted).toList(), kind, wanted);
    }
}
