package io.improbable.etcd.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.kube.KubeCache.PeerKey;
import java.time.Clock;
import java.util.Set;
import java.util.function.Consumer;

/** Caches and effects over one API server; what the effects wrote is in the caches at once. */
public final class KubeConnection implements AutoCloseable {
    private final EventWriter events;
    private final FabricKube effects;
    private final InformerCache cache;

    /** @param namespaces where to look; empty for everywhere @param instance who signs Events */
    public KubeConnection(
            KubernetesClient client,
            Set<String> namespaces,
            String instance,
            Consumer<ClusterKey> wakeCluster,
            Consumer<PeerKey> wakePeer) {
        var recent = new RecentWrites(System::nanoTime);
        this.events = new EventWriter(client, Clock.systemUTC(), instance);
        this.effects = new FabricKube(client, recent, events, wakePeer);
        this.cache = new InformerCache(client, namespaces, recent, wakeCluster, wakePeer);
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

    @Override
    public void close() {
        cache.close();
        events.close();
    }
}
