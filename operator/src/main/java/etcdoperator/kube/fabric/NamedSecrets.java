package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Secrets that users have pointed to: each is watched by its name alone, and no other is ever read. */
final class NamedSecrets<K> implements AutoCloseable {
    private final Watching watching;
    private final Function<K, String> namespace;
    private final Consumer<K> wake;

    /** Guarded by this, as is who follows them: else one reader could end what another has just begun to follow. */
    private final Map<Name, Followed<K>> followed = new HashMap<>();

    NamedSecrets(KubernetesClient client, Function<K, String> namespace, Consumer<K> wake) {
        this((name, changed) -> new InformedWatch(client, name, changed), namespace, wake);
    }

    NamedSecrets(Watching watching, Function<K, String> namespace, Consumer<K> wake) {
        this.watching = watching;
        this.namespace = namespace;
        this.wake = wake;
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
    private record Followed<K>(Watch watch, Set<K> by) {}

    /** Those that are there; what this reader does not name any more is not followed for it any longer. */
    List<Secret> of(K reader, Set<String> names) {
        // Without the lock: a Secret that the API server says nothing of holds up nobody else.
        return follow(reader, names).stream()
                .flatMap(watch -> watch.read().stream())
                .toList();
    }

    void release(K reader) {
        follow(reader, Set.of());
    }

    private synchronized List<Watch> follow(K reader, Set<String> names) {
        followed.values().forEach(secret -> secret.by().remove(reader));
        List<Watch> watches = names.stream()
                .map(name -> follow(reader, new Name(namespace.apply(reader), name)))
                .toList();
        followed.values().removeIf(NamedSecrets::endUnused);
        return watches;
    }

    private Watch follow(K reader, Name name) {
        Followed<K> secret = followed.computeIfAbsent(name, this::begin);
        secret.by().add(reader);
        return secret.watch();
    }

    private Followed<K> begin(Name name) {
        Set<K> by = ConcurrentHashMap.newKeySet();
        return new Followed<>(watching.begin(name, () -> by.forEach(wake)), by);
    }

    private static boolean endUnused(Followed<?> secret) {
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
