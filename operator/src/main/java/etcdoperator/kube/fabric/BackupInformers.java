package etcdoperator.kube.fabric;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.DrillStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.BackupCache;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.fabric.KubeConnection.Wakers;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.StoreKit;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The caches of backups, their schedules and the agents' Jobs and pods, and who is woken by what they bring. */
public final class BackupInformers implements BackupCache, AutoCloseable {
    private final KubeCache clusters;
    private final RecentWrites recent;
    private final Watched<EtcdBackup> backups;
    private final Watched<EtcdBackupSchedule> schedules;
    private final Watched<Job> jobs;
    private final Watched<Pod> pods;
    private final Watched<Job> drills;
    private final Watched<Pod> drillPods;
    private final NamedSecrets<ObjectKey> secrets;
    private final Consumer<ClusterKey> wakeCluster;
    private final Consumer<ObjectKey> wakeBackup;
    private final Consumer<ObjectKey> wakeSchedule;

    /** @param namespaces where to look; empty for everywhere */
    BackupInformers(
            KubernetesClient client, Set<String> namespaces, KubeCache clusters, RecentWrites recent, Wakers wakers) {
        this.clusters = clusters;
        this.recent = recent;
        this.wakeCluster = wakers.cluster();
        this.wakeBackup = wakers.backup();
        this.wakeSchedule = wakers.schedule();
        this.backups =
                new Watched<>(client, EtcdBackup.class, namespaces, Watched.EVERYTHING, this::backupChanged, recent);
        this.schedules = new Watched<>(
                client,
                EtcdBackupSchedule.class,
                namespaces,
                Watched.EVERYTHING,
                schedule -> wakeSchedule.accept(keyOf(schedule)),
                recent);
        this.jobs =
                new Watched<>(client, Job.class, namespaces, Watched.label(Labels.BACKUP), this::agentChanged, recent);
        this.pods = new Watched<>(client, Pod.class, namespaces, Watched.label(Labels.BACKUP), this::agentChanged);
        this.drills =
                new Watched<>(client, Job.class, namespaces, Watched.label(Labels.DRILL), this::drillChanged, recent);
        this.drillPods = new Watched<>(client, Pod.class, namespaces, Watched.label(Labels.DRILL), this::drillChanged);
        this.secrets = new NamedSecrets<>(client, ObjectKey::namespace, wakeBackup);
    }

    /** Returns once every cache is filled. */
    public void start() {
        all().forEach(Watched::start);
        all().forEach(Watched::awaitFilled);
    }

    List<EtcdBackup> of(ClusterKey cluster) {
        List<EtcdBackup> found = backups.inNamespace(cluster.namespace()).stream()
                .filter(backup -> clusterOf(backup).equals(Optional.of(cluster)))
                .toList();
        return recent.over(found, EtcdBackup.class, backup -> clusterOf(backup).equals(Optional.of(cluster)));
    }

    private static Optional<ClusterKey> clusterOf(EtcdBackup backup) {
        return Optional.ofNullable(backup.getSpec().source().cluster())
                .map(name -> new ClusterKey(backup.getMetadata().getNamespace(), name));
    }

    List<EtcdBackup> backupsIn(String namespace) {
        return backups.inNamespace(namespace);
    }

    public List<ObjectKey> everyBackup() {
        return backups.all().map(BackupInformers::keyOf).toList();
    }

    public List<ObjectKey> backupsOf(ClusterKey cluster) {
        return backups.inNamespace(cluster.namespace()).stream()
                .filter(backup ->
                        cluster.name().equals(backup.getSpec().source().cluster()))
                .map(BackupInformers::keyOf)
                .toList();
    }

    public List<ObjectKey> everySchedule() {
        return schedules.all().map(BackupInformers::keyOf).toList();
    }

    public boolean isWatching() {
        return secrets.isWatching() && all().allMatch(Watched::isRunning);
    }

    @Override
    public void close() {
        all().forEach(Watched::close);
        secrets.close();
    }

    @Override
    public Optional<BackupObjects> backup(ObjectKey key) {
        recent.expire();
        Optional<EtcdBackup> found = one(backups, EtcdBackup.class, key);
        if (found.isEmpty()) {
            secrets.release(key);
        }
        return found.map(backup -> objectsOf(key, backup));
    }

    private BackupObjects objectsOf(ObjectKey key, EtcdBackup backup) {
        List<Job> own = labelled(jobs, Job.class, key, Labels.BACKUP).stream()
                .filter(job -> isOwnedBy(backup, job))
                .toList();
        Set<String> uids = own.stream().map(job -> job.getMetadata().getUid()).collect(Collectors.toSet());
        List<Pod> agents = labelled(pods, Pod.class, key, Labels.BACKUP).stream()
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> uids.contains(owner.getUid())))
                .toList();
        Optional<ClusterObjects> cluster = Optional.ofNullable(
                        backup.getSpec().source().cluster())
                .flatMap(name -> clusters.cluster(new ClusterKey(key.namespace(), name)));
        // Also where none is named any more: only so is let go of what was.
        List<Secret> named = secrets.of(key, own.isEmpty() ? secretsOf(backup.getSpec()) : Set.of());
        List<EtcdBackup> others = backups.inNamespace(key.namespace()).stream()
                .filter(other -> !keyOf(other).equals(key))
                .toList();
        return new BackupObjects(backup, cluster, own, agents, others, named);
    }

    private static Set<String> secretsOf(EtcdBackupSpec spec) {
        Set<String> names = new HashSet<>(StoreKit.secrets(spec.destination(), spec.encryption()));
        Optional.ofNullable(spec.source().tlsSecret()).ifPresent(names::add);
        return names;
    }

    @Override
    public Optional<ScheduleObjects> schedule(ObjectKey key) {
        recent.expire();
        return one(schedules, EtcdBackupSchedule.class, key).map(schedule -> objectsOf(key, schedule));
    }

    private ScheduleObjects objectsOf(ObjectKey key, EtcdBackupSchedule schedule) {
        List<EtcdBackup> made = labelled(backups, EtcdBackup.class, key, Labels.SCHEDULE);
        List<EtcdCluster> sources = made.stream()
                .flatMap(backup -> clusterOf(backup).stream())
                .distinct()
                .flatMap(cluster -> clusters.cluster(cluster).stream())
                .map(ClusterObjects::cluster)
                .toList();
        List<Job> own = labelled(drills, Job.class, key, Labels.DRILL).stream()
                .filter(job -> isOwnedBy(schedule, job))
                .toList();
        return new ScheduleObjects(schedule, made, sources, own, labelled(drillPods, Pod.class, key, Labels.DRILL));
    }

    /** What came of the drills of each schedule that has any. */
    public List<DrillStatus> everyDrill() {
        return schedules
                .all()
                .flatMap(schedule -> Stream.ofNullable(schedule.getStatus()))
                .flatMap(status -> Stream.ofNullable(status.drill()))
                .toList();
    }

    private <T extends HasMetadata> Optional<T> one(Watched<T> watched, Class<T> type, ObjectKey key) {
        List<T> found = watched.get(key.namespace(), key.name()).map(List::of).orElse(List.of());
        return recent.over(found, type, object -> keyOf(object).equals(key)).stream()
                .findFirst();
    }

    private <T extends HasMetadata> List<T> labelled(Watched<T> watched, Class<T> type, ObjectKey key, String label) {
        List<T> found = watched.inNamespace(key.namespace()).stream()
                .filter(object -> isLabelled(object, key, label))
                .toList();
        return recent.over(found, type, object -> isLabelled(object, key, label));
    }

    private static boolean isLabelled(HasMetadata object, ObjectKey key, String label) {
        return key.namespace().equals(object.getMetadata().getNamespace())
                && Objects.equals(key.name(), object.getMetadata().getLabels().get(label));
    }

    private static boolean isOwnedBy(HasMetadata owner, HasMetadata object) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(reference ->
                        reference.getUid().equals(owner.getMetadata().getUid()));
    }

    private void backupChanged(EtcdBackup backup) {
        wakeBackup.accept(keyOf(backup));
        clusterOf(backup).ifPresent(wakeCluster);
        wake(backup, Labels.SCHEDULE, wakeSchedule);
    }

    private void agentChanged(HasMetadata object) {
        wake(object, Labels.BACKUP, wakeBackup);
    }

    private void drillChanged(HasMetadata object) {
        wake(object, Labels.DRILL, wakeSchedule);
    }

    private static void wake(HasMetadata object, String label, Consumer<ObjectKey> whom) {
        Optional.ofNullable(object.getMetadata().getLabels().get(label))
                .ifPresent(
                        name -> whom.accept(new ObjectKey(object.getMetadata().getNamespace(), name)));
    }

    private static ObjectKey keyOf(HasMetadata object) {
        return new ObjectKey(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }

    private Stream<Watched<?>> all() {
        return Stream.of(backups, schedules, jobs, pods, drills, drillPods);
    }
}
