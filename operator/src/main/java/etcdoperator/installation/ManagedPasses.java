package etcdoperator.installation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.rules.ManagedStatus;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Installation;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.Notice;
import etcdoperator.kube.ObjectCache;
import etcdoperator.manifest.Labels;
import etcdoperator.reconcile.WorkQueue.Pass;
import io.fabric8.kubernetes.client.CustomResource;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes over the objects that this installation manages. What belongs to a cluster that is there has the cluster's
 * manager. An object without a manager is taken before its first pass, by a write that fails if the object was changed
 * since it was read: of two installations only one can take it. The other one writes nothing but Events, because each
 * field of an object has one writer.
 */
public final class ManagedPasses {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedPasses.class);

    public static final String ELSEWHERE = "ManagedElsewhere";

    private static final Duration AT_ONCE = Duration.ofMillis(1);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(10);

    private final Installation own;
    private final ObjectCache cache;
    private final Kube kube;
    private final Reminders reminders;

    /** @param own this installation */
    public ManagedPasses(Installation own, ObjectCache cache, Kube kube, Clock clock) {
        this.own = own;
        this.cache = cache;
        this.kube = kube;
        this.reminders = new Reminders(kube, clock);
    }

    /** @param release ends what goes on beside the passes over a cluster */
    public Pass<ClusterKey> clusters(Pass<ClusterKey> pass, Consumer<ClusterKey> release) {
        var kind = new Kind<>(EtcdCluster::new, EtcdClusterStatus.EMPTY, pass, release);
        return key -> {
            Optional<EtcdCluster> cluster = cache.cluster(key);
            return cluster.filter(ManagedPasses::isGoing).isPresent() ? pass.run(key) : kind.run(key, cluster);
        };
    }

    /** It is not worth a manager any more. */
    private static boolean isGoing(EtcdCluster cluster) {
        return cluster.getMetadata().getDeletionTimestamp() != null
                && (cluster.getStatus() == null || cluster.getStatus().installation() == null);
    }

    public Pass<PeerKey> peers(Pass<PeerKey> pass) {
        return key -> cache.peer(key)
                        .filter(peer -> cache.cluster(new ClusterKey(
                                        key.namespace(), peer.getSpec().clusterName()))
                                .filter(this::isOwn)
                                .isEmpty())
                        .isPresent()
                ? Optional.empty()
                : pass.run(key);
    }

    /** @param release ends what goes on beside the passes over a backup */
    public Pass<ObjectKey> backups(Pass<ObjectKey> pass, Consumer<ObjectKey> release) {
        var kind = new Kind<>(EtcdBackup::new, EtcdBackupStatus.EMPTY, pass, release);
        return key -> {
            Optional<EtcdBackup> backup = cache.backup(key);
            return kind.run(
                    key, backup, backup.map(there -> there.getSpec().source().cluster()));
        };
    }

    public Pass<ObjectKey> schedules(Pass<ObjectKey> pass) {
        var kind = new Kind<>(EtcdBackupSchedule::new, EtcdBackupScheduleStatus.EMPTY, pass, key -> {});
        return key -> {
            Optional<EtcdBackupSchedule> schedule = cache.schedule(key);
            return kind.run(
                    key,
                    schedule,
                    schedule.map(
                            there -> there.getSpec().backupTemplate().source().cluster()));
        };
    }

    public Pass<ObjectKey> restores(Pass<ObjectKey> pass) {
        var kind = new Kind<>(EtcdRestore::new, EtcdRestoreStatus.EMPTY, pass, key -> {});
        return key -> {
            Optional<EtcdRestore> restore = cache.restore(key);
            return kind.run(
                    key,
                    restore,
                    restore.map(there -> there.getSpec().clusterTemplate().clusterName()));
        };
    }

    /** How many objects that this installation sees have another manager. */
    public long elsewhere() {
        return reminders.count(ELSEWHERE);
    }

    private boolean isOwn(EtcdCluster cluster) {
        return cluster.getStatus() != null
                && own.toString().equals(cluster.getStatus().installation());
    }

    /** The passes over one kind of objects. @param blank makes an object without content @param empty the status before the first pass */
    private final class Kind<K, P, S extends ManagedStatus<S>, T extends CustomResource<P, S>> {
        private final Supplier<T> blank;
        private final S empty;
        private final Pass<K> pass;
        private final Consumer<K> release;

        Kind(Supplier<T> blank, S empty, Pass<K> pass, Consumer<K> release) {
            this.blank = blank;
            this.empty = empty;
            this.pass = pass;
            this.release = release;
        }

        /** @param named the cluster that the object belongs to, if it is there */
        Optional<Duration> run(K key, Optional<T> found, Optional<String> named) throws StaleViewException {
            Optional<EtcdCluster> cluster = named.flatMap(name -> cache.cluster(
                    new ClusterKey(found.orElseThrow().getMetadata().getNamespace(), name)));
            if (cluster.isEmpty()) {
                return run(key, found);
            }
            reminders.forget(id(key));
            if (isOwn(cluster.get())) {
                return pass.run(key);
            }
            // The Event of the cluster says why. A new manager of the cluster wakes what belongs to it.
            release.accept(key);
            return Optional.empty();
        }

        Optional<Duration> run(K key, Optional<T> found) throws StaleViewException {
            if (found.isEmpty()) {
                reminders.forget(id(key));
                return pass.run(key);
            }
            T object = found.get();
            return switch (Management.of(object, own)) {
                case Management.Own(var remark) -> {
                    remark.ifPresentOrElse(
                            text -> reminders.tell(id(key), object, Notice.warning("HandOverAwaited", text)),
                            () -> reminders.forget(id(key)));
                    yield pass.run(key);
                }
                case Management.Take(var before) -> take(key, object, before);
                case Management.Other(String why) -> {
                    reminders.tell(id(key), object, Notice.warning(ELSEWHERE, why));
                    release.accept(key);
                    yield Optional.of(Reminders.INTERVAL);
                }
            };
        }

        /** The next pass sees the record, and whatever has changed until then. */
        private Optional<Duration> take(K key, T object, Optional<String> before) throws StaleViewException {
            T changed = blank.get();
            changed.setMetadata(object.getMetadata());
            changed.setSpec(object.getSpec());
            changed.setStatus(statusOf(object.getStatus()).withInstallation(own.toString()));
            try {
                kube.replaceStatus(changed);
            } catch (RefusedException e) {
                reminders.tell(id(key), object, Notice.warning("Refused", e.why()));
                return Optional.of(TRY_AGAIN);
            }
            reminders.forget(id(key));
            before.map(other ->
                            "Installation %s manages %s %s from now on, as annotation %s asks; installation %s did before"
                                    .formatted(
                                            own,
                                            object.getKind(),
                                            object.getMetadata().getName(),
                                            Labels.INSTALLATION,
                                            other))
                    .map(text -> Notice.normal("TakenOver", text))
                    .ifPresent(notice -> {
                        notice.log(LOG);
                        kube.tell(object, notice);
                    });
            return Optional.of(AT_ONCE);
        }

        private S statusOf(@Nullable S status) {
            return Objects.requireNonNullElse(status, empty);
        }

        private String id(Object key) {
            return blank.get().getKind() + " " + key;
        }
    }
}
