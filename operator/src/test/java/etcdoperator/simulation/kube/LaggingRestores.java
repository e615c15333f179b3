package etcdoperator.simulation.kube;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.RestoreCache;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The caches of restores, with watches of their own: they may know of a claim what those of clusters do not, or less. */
public final class LaggingRestores implements RestoreCache {
    private final Watches watches;
    private final RecentWrites recent;
    private final NamesakeCache clusters;

    public LaggingRestores(
            FakeApiServer server, RecentWrites recent, NamesakeCache clusters, Consumer<HasMetadata> changed) {
        this.recent = recent;
        this.clusters = clusters;
        this.watches = new Watches(
                server,
                List.of(EtcdRestore.class, EtcdBackup.class, Job.class, PersistentVolumeClaim.class, Pod.class),
                object -> object instanceof EtcdRestore
                        || object instanceof EtcdBackup
                        || object.getMetadata().getLabels().containsKey(Labels.RESTORE),
                new Watches.Listener(changed, recent::forget));
        watches.kinds().forEach(kind -> recent.followedBy(kind, () -> watches.reached(kind)));
    }

    public Watches watches() {
        return watches;
    }

    public LaggingCache.Neighbours of(ClusterKey cluster) {
        List<EtcdBackup> backups = over(
                EtcdBackup.class,
                backup -> cluster.name().equals(backup.getSpec().source().cluster()));
        return new LaggingCache.Neighbours(
                backups,
                over(EtcdRestore.class, restore -> Recoveries.isOne(restore) && isOf(cluster.name(), restore)));
    }

    @Override
    public Optional<RestoreObjects> restore(ObjectKey key) {
        recent.expire();
        List<EtcdRestore> found = watches.all(EtcdRestore.class).stream()
                .filter(restore -> restore.getMetadata().getName().equals(key.name()))
                .toList();
        return recent.over(found, EtcdRestore.class, other -> false).stream()
                .findFirst()
                .map(restore -> objectsOf(key, restore));
    }

    @Override
    public List<PersistentVolumeClaim> claimsOf(ObjectKey restore) {
        return labelled(PersistentVolumeClaim.class, restore);
    }

    private RestoreObjects objectsOf(ObjectKey key, EtcdRestore restore) {
        String cluster = restore.getSpec().clusterTemplate().clusterName();
        return new RestoreObjects(
                restore,
                others(key, cluster),
                over(EtcdBackup.class, backup -> true),
                clusters.namesakes(new ClusterKey(key.namespace(), cluster)),
                labelled(PersistentVolumeClaim.class, key),
                labelled(Job.class, key).stream()
                        .filter(job -> Objects.controllerUid(job)
                                .equals(Optional.of(restore.getMetadata().getUid())))
                        .toList(),
                labelled(Pod.class, key));
    }

    private List<EtcdRestore> others(ObjectKey key, String cluster) {
        List<EtcdRestore> found = watches.all(EtcdRestore.class).stream()
                .filter(other ->
                        isOf(cluster, other) && !other.getMetadata().getName().equals(key.name()))
                .toList();
        return recent.over(found, EtcdRestore.class, other -> false);
    }

    private static boolean isOf(String cluster, EtcdRestore restore) {
        return restore.getSpec().clusterTemplate().clusterName().equals(cluster);
    }

    private <T extends HasMetadata> List<T> labelled(Class<T> kind, ObjectKey key) {
        return over(
                kind,
                object -> key.name().equals(object.getMetadata().getLabels().get(Labels.RESTORE)));
    }

    private <T extends HasMetadata> List<T> over(Class<T> kind, Predicate<T> wanted) {
        return recent.over(watches.all(kind).stream().filter(wanted).toList(), kind, wanted);
    }
}
