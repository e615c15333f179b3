package etcdoperator.kube.fabric;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.RestoreCache;
import etcdoperator.kube.fabric.KubeConnection.Wakers;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The caches of restores, their claims, Jobs and pods, and who is woken by what they bring. */
public final class RestoreInformers implements RestoreCache, AutoCloseable {
    private final NamesakeCache clusters;
    private final Function<String, List<EtcdBackup>> backups;
    private final RecentWrites recent;
    private final Consumer<ObjectKey> wakeRestore;
    private final Consumer<ClusterKey> wakeCluster;
    private final Watched<EtcdRestore> restores;
    private final Watched<PersistentVolumeClaim> claims;
    private final Watched<Job> jobs;
    private final Watched<Pod> pods;

    /** @param namespaces where to look; empty for everywhere @param backups those of a namespace */
    RestoreInformers(
            KubernetesClient client,
            Set<String> namespaces,
            NamesakeCache clusters,
            Function<String, List<EtcdBackup>> backups,
            RecentWrites recent,
            Wakers wakers) {
        this.clusters = clusters;
        this.backups = backups;
        this.recent = recent;
        this.wakeRestore = wakers.restore();
        this.wakeCluster = wakers.cluster();
        this.restores =
                new Watched<>(client, EtcdRestore.class, namespaces, Watched.EVERYTHING, this::restoreChanged, recent);
        this.claims = labelled(client, PersistentVolumeClaim.class, namespaces, wakeRestore);
        this.jobs = labelled(client, Job.class, namespaces, wakeRestore);
        this.pods = labelled(client, Pod.class, namespaces, wakeRestore);
    }

    private <T extends HasMetadata> Watched<T> labelled(
            KubernetesClient client, Class<T> type, Set<String> namespaces, Consumer<ObjectKey> wake) {
        return new Watched<>(
                client,
                type,
                namespaces,
                Watched.label(Labels.RESTORE),
                object -> wake.accept(restoreOf(object)),
                recent);
    }

    /** A cluster that is recovered waits for it. */
    private void restoreChanged(EtcdRestore restore) {
        wakeRestore.accept(keyOf(restore));
        if (Recoveries.isOne(restore)) {
            wakeCluster.accept(clusterOf(restore));
        }
    }

    /** Something has become of a cluster: of its members, which a restore waits for to end or to come up. */
    void wakeThoseOf(ClusterKey cluster) {
        restores.inNamespace(cluster.namespace()).stream()
                .filter(restore -> clusterOf(restore).equals(cluster))
                .filter(restore ->
                        restore.getStatus() == null || !restore.getStatus().hasEnded())
                .forEach(restore -> wakeRestore.accept(keyOf(restore)));
    }

    /** Those that the operator made to bring a cluster back. */
    List<EtcdRestore> recoveriesOf(ClusterKey cluster) {
        List<EtcdRestore> found = restores.inNamespace(cluster.namespace()).stream()
                .filter(restore -> isRecoveryOf(cluster, restore))
                .toList();
        return recent.over(found, EtcdRestore.class, restore -> isRecoveryOf(cluster, restore));
    }

    private static boolean isRecoveryOf(ClusterKey cluster, EtcdRestore restore) {
        return Recoveries.isOne(restore) && clusterOf(restore).equals(cluster);
    }

    private static ClusterKey clusterOf(EtcdRestore restore) {
        return new ClusterKey(
                restore.getMetadata().getNamespace(),
                restore.getSpec().clusterTemplate().clusterName());
    }

    /** Returns once every cache is filled. */
    public void start() {
        all().forEach(Watched::start);
        all().forEach(Watched::awaitFilled);
    }

    /** Also those of which only claims are left. */
    public List<ObjectKey> everyRestore() {
        return Stream.concat(
                        restores.all().map(RestoreInformers::keyOf),
                        claims.all().map(RestoreInformers::restoreOf))
                .distinct()
                .toList();
    }

    private static ObjectKey restoreOf(HasMetadata object) {
        return new ObjectKey(
                object.getMetadata().getNamespace(),
                object.getMetadata().getLabels().getOrDefault(Labels.RESTORE, ""));
    }

    public boolean isWatching() {
        return all().allMatch(Watched::isRunning);
    }

    @Override
    public void close() {
        all().forEach(Watched::close);
    }

    @Override
    public List<PersistentVolumeClaim> claimsOf(ObjectKey restore) {
        return of(claims, PersistentVolumeClaim.class, restore);
    }

    @Override
    public Optional<RestoreObjects> restore(ObjectKey key) {
        recent.expire();
        List<EtcdRestore> found =
                restores.get(key.namespace(), key.name()).map(List::of).orElse(List.of());
        return recent.over(found, EtcdRestore.class, other -> false).stream()
                .findFirst()
                .map(restore -> objectsOf(key, restore));
    }

    private RestoreObjects objectsOf(ObjectKey key, EtcdRestore restore) {
        List<Job> own = of(jobs, Job.class, key).stream()
                .filter(job -> isOwnedBy(restore, job))
                .toList();
        ClusterKey cluster = clusterOf(restore);
        return new RestoreObjects(
                restore,
                others(key, cluster),
                backups.apply(key.namespace()),
                clusters.namesakes(cluster),
                claimsOf(key),
                own,
                of(pods, Pod.class, key));
    }

    private List<EtcdRestore> others(ObjectKey key, ClusterKey cluster) {
        List<EtcdRestore> found = restores.inNamespace(key.namespace()).stream()
                .filter(other -> !keyOf(other).equals(key))
                .filter(other -> other.getSpec().clusterTemplate().clusterName().equals(cluster.name()))
                .toList();
        return recent.over(found, EtcdRestore.class, other -> false);
    }

    private <T extends HasMetadata> List<T> of(Watched<T> watched, Class<T> type, ObjectKey key) {
        List<T> found = watched.inNamespace(key.namespace()).stream()
                .filter(object -> isOf(key, object))
                .toList();
        return recent.over(found, type, object -> isOf(key, object));
    }

    private static boolean isOf(ObjectKey restore, HasMetadata object) {
        return restore.namespace().equals(object.getMetadata().getNamespace())
                && Objects.equals(
                        restore.name(), object.getMetadata().getLabels().get(Labels.RESTORE));
    }

    private static boolean isOwnedBy(HasMetadata owner, HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference ->
                        reference.getUid().equals(owner.getMetadata().getUid()));
    }

    private static ObjectKey keyOf(HasMetadata object) {
        return new ObjectKey(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private Stream<Watched<?>> all() {
        return Stream.of(restores, claims, jobs, pods);
    }
}
