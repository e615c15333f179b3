package io.improbable.etcd.kube;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.improbable.etcd.domain.ClusterKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Secrets that users have pointed to: each is watched by its name alone, and no other is ever read. */
final class NamedSecrets implements AutoCloseable {
    private final Watching watching;
    private final Consumer<ClusterKey> wakeCluster;

    /** Guarded by this, as is who follows them: else one cluster could end what another has just begun to follow. */
    private final Map<Name, Followed> followed = new HashMap<>();

    NamedSecrets(KubernetesClient client, Consumer<ClusterKey> wakeCluster) {
        this((name, changed) -> new InformedWatch(client, name, changed), wakeCluster);
    }

    NamedSecrets(Watching watching, Consumer<ClusterKey> wakeCluster) {
        this.watching = watching;
        this.wakeCluster = wakeCluster;
    }

    record Name(String namespace, String name) {}

    /** How a Secret is watched. */
    interface Watching {
        Watch begin(Name name, Runnable changed);
    }

    /** One Secret, watched until this is closed. */
    interface Watch extends AutoCloseable {
        /** The first time, this waits for the API server. */
        Optional<Secret> read();

        boolean isRunning();

        @Override
        void close();
    }

    /** @param by read by those who wake them, too, who have no lock */
    private record Followed(Watch watch, Set<ClusterKey> by) {}

    /** Those that are there; what this cluster does not name any more is not followed for it any longer. */
    List<Secret> of(ClusterKey cluster, Set<String> names) {
        // Without the lock: a Secret that the API server says nothing of holds up nobody else.
        return follow(cluster, names).stream()
                .flatMap(watch -> watch.read().stream())
                .toList();
    }

    void release(ClusterKey cluster) {
        follow(cluster, Set.of());
    }

    private synchronized List<Watch> follow(ClusterKey cluster, Set<String> names) {
        followed.values().forEach(secret -> secret.by().remove(cluster));
        List<Watch> watches = names.stream()
                .map(name -> follow(cluster, new Name(cluster.namespace(), name)))
                .toList();
        followed.values().removeIf(NamedSecrets::endUnused);
        return watches;
    }

    private Watch follow(ClusterKey cluster, Name name) {
        Followed secret = followed.computeIfAbsent(name, this::begin);
        secret.by().add(cluster);
        return secret.watch();
    }

    private Followed begin(Name name) {
        Set<ClusterKey> by = ConcurrentHashMap.newKeySet();
        return new Followed(watching.begin(name, () -> by.forEach(wakeCluster)), by);
    }

    private static boolean endUnused(Followed secret) {
        if (!secret.by().isEmpty()) {
            return false;
        }
        secret.watch().close();
        return true;
    }

    synchronized boolean isWatching() {
        return followed.values().stream().allMatch(secret -> secret.watch().isRunning());
    }

    @Override
    public synchronized void close() {
        followed.values().forEach(secret -> secret.watch().close());
        followed.clear();
    }

    /** By an informer for this one object. */
    private static final class InformedWatch implements Watch {
        private final Name name;
        private final Watched<Secret> watched;

        InformedWatch(KubernetesClient client, Name name, Runnable changed) {
            this.name = name;
            this.watched = new Watched<>(
                    client,
                    Secret.class,
                    Set.of(name.namespace()),
                    Watched.fields(Map.of("metadata.name", name.name())),
                    secret -> changed.run());
            watched.start();
        }

        @Override
        public Optional<Secret> read() {
            watched.awaitFilled();
            return watched.get(name.namespace(), name.name());
        }

        @Override
        public boolean isRunning() {
            return watched.isRunning();
        }

        @Override
        public void close() {
            watched.close();
        }
    }
}
