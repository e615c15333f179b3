package etcdoperator.kube.fabric;

import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.ObjectKey;
import etcdoperator.kube.Kube;
import etcdoperator.kube.KubeCache.PeerKey;
import etcdoperator.kube.Tally;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Caches and effects over one API server; what the effects wrote is in the caches at once. */
public final class KubeConnection implements AutoCloseable {
    private final EventWriter events;
    private final FabricKube effects;
    private final InformerCache cache;
    private final BackupInformers backups;
    private final RestoreInformers restores;

    /** Who is told that something has changed, by kind. */
    public record Wakers(
            Consumer<ClusterKey> cluster,
            Consumer<PeerKey> peer,
            Consumer<ObjectKey> backup,
            Consumer<ObjectKey> schedule,
            Consumer<ObjectKey> restore) {}

    /** @param namespaces where to look; empty for everywhere @param instance who signs Events */
    public KubeConnection(KubernetesClient client, Set<String> namespaces, String instance, Wakers wakers) {
        var recent = new RecentWrites(System::nanoTime);
        this.events = new EventWriter(client, Clock.systemUTC(), instance);
        this.effects = new FabricKube(client, recent, events, wakers.peer());
        this.cache = new InformerCache(
                client,
                namespaces,
                recent,
                new Neighbourhood(),
                wakers.cluster().andThen(this::wakeRestores),
                wakers.peer());
        this.backups = new BackupInformers(client, namespaces, cache, recent, wakers);
        this.restores = new RestoreInformers(client, namespaces, cache, backups::backupsIn, recent, wakers);
    }

    private void wakeRestores(ClusterKey cluster) {
        restores.wakeThoseOf(cluster);
    }

    /** The caches know each other: a cluster has backups and recoveries, and these are of a cluster. */
    private final class Neighbourhood implements InformerCache.Neighbours {
        @Override
        public List<EtcdBackup> backupsOf(ClusterKey cluster) {
            return backups.of(cluster);
        }

        @Override
        public List<EtcdRestore> recoveriesOf(ClusterKey cluster) {
            return restores.recoveriesOf(cluster);
        }
    }

    public Kube effects() {
        return effects;
    }

    public Tally tally() {
        return events.tally();
    }

    public InformerCache cache() {
        return cache;
    }

    public BackupInformers backups() {
        return backups;
    }

    public RestoreInformers restores() {
        return restores;
    }

    /** Returns once every cache is filled. */
    public void fillCaches() {
        cache.start();
        backups.start();
        restores.start();
    }

    public boolean isWatching() {
        return cache.isWatching() && backups.isWatching() && restores.isWatching();
    }

    @Override
    public void close() {
        restores.close();
        backups.close();
        cache.close();
        events.close();
    }
}
