package io.improbable.etcd.kube;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.improbable.etcd.domain.ClusterKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Secrets that users have pointed to: each is watched by its name alone, and no other is ever read. */
final class NamedSecrets implements AutoCloseable {
    private final KubernetesClient client;
    private final Consumer<ClusterKey> wakeCluster;
    private final Map<Name, Followed> followed = new ConcurrentHashMap<>();

    NamedSecrets(KubernetesClient client, Consumer<ClusterKey> wakeCluster) {
        this.client = client;
        this.wakeCluster = wakeCluster;
    }

    private record Name(String namespace, String name) {}

    private record Followed(Watched<Secret> watched, Set<ClusterKey> by) {}

    /** Those that are there. The first time a name is asked for, this waits for the API server. */
    List<Secret> of(ClusterKey cluster, Set<String> names) {
        followed.values().forEach(secret -> secret.by().remove(cluster));
        List<Secret> found = names.stream()
                .flatMap(name -> get(cluster, new Name(cluster.namespace(), name)).stream())
                .toList();
        followed.values().removeIf(NamedSecrets::endUnused);
        return found;
    }

    private static boolean endUnused(Followed secret) {
        if (!secret.by().isEmpty()) {
            return false;
        }
        secret.watched().close();
        return true;
    }

    private Optional<Secret> get(ClusterKey cluster, Name name) {
        Followed secret = followed.computeIfAbsent(name, this::follow);
        secret.by().add(cluster);
        return secret.watched().get(name.namespace(), name.name());
    }

    private Followed follow(Name name) {
        Set<ClusterKey> by = ConcurrentHashMap.newKeySet();
        Watched<Secret> watched = new Watched<>(
                client,
                Secret.class,
                Set.of(name.namespace()),
                Watched.fields(Map.of("metadata.name", name.name())),
                changed -> by.forEach(wakeCluster),
                deleted -> by.forEach(wakeCluster));
        watched.start();
        watched.awaitFilled();
        return new Followed(watched, by);
    }

    Stream<Watched<?>> all() {
        return followed.values().stream().map(Followed::watched);
    }

    @Override
    public void close() {
        all().forEach(Watched::close);
    }
}
