package io.improbable.etcd.simulation;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.KubeCache;
import io.improbable.etcd.kube.NodeAddresses;
import io.improbable.etcd.kube.RecentWrites;
import io.improbable.etcd.manifest.Labels;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Caches as informers keep them: each kind as old as its own watch, and over them what this process wrote itself. */
final class LaggingCache implements KubeCache {
    static final List<Class<? extends HasMetadata>> KINDS = List.of(
            EtcdCluster.class,
            EtcdPeer.class,
            PersistentVolumeClaim.class,
            ReplicaSet.class,
            Pod.class,
            Service.class,
            PodDisruptionBudget.class,
            NetworkPolicy.class,
            Secret.class,
            Node.class);

    private final FakeApiServer server;
    private final RecentWrites recent;
    private final Consumer<HasMetadata> changed;
    private final Map<Class<?>, Map<String, HasMetadata>> seen = new HashMap<>();
    private final Map<Class<?>, Integer> positions = new HashMap<>();
    private final Set<Class<?>> stalled = new HashSet<>();

    /** Begins as every informer does, with a list. */
    LaggingCache(FakeApiServer server, RecentWrites recent, Consumer<HasMetadata> changed) {
        this.server = server;
        this.recent = recent;
        this.changed = changed;
        for (Class<? extends HasMetadata> kind : KINDS) {
            Map<String, HasMetadata> objects = new TreeMap<>();
            server.list(kind).forEach(object -> objects.put(object.getMetadata().getName(), object));
            seen.put(kind, objects);
            positions.put(kind, server.journal(kind).size());
        }
    }

    /** A watch that has broken and is not made anew for a while. */
    void stall(Class<? extends HasMetadata> kind) {
        stalled.add(kind);
    }

    void unstall() {
        stalled.clear();
    }

    /** The kinds of which there is news that could come now. */
    List<Class<? extends HasMetadata>> deliverable() {
        return behind().stream().filter(kind -> !stalled.contains(kind)).toList();
    }

    List<Class<? extends HasMetadata>> behind() {
        return KINDS.stream()
                .filter(kind -> positions.get(kind) < server.journal(kind).size())
                .toList();
    }

    /** One piece of news of one kind. */
    void deliver(Class<? extends HasMetadata> kind) {
        int position = positions.get(kind);
        FakeApiServer.Change change = server.journal(kind).get(position);
        positions.put(kind, position + 1);
        HasMetadata object = change.object();
        if (change.deleted()) {
            seen.get(kind).remove(object.getMetadata().getName());
            if (kind != EtcdCluster.class) {
                recent.forget(object);
            }
        } else {
            seen.get(kind).put(object.getMetadata().getName(), object);
        }
        changed.accept(object);
    }

    <T extends HasMetadata> List<T> all(Class<T> kind) {
        return seen.get(kind).values().stream().map(kind::cast).toList();
    }

    @Override
    public Optional<ClusterObjects> cluster(ClusterKey key) {
        recent.expire();
        List<EtcdCluster> found = all(EtcdCluster.class).stream()
                .filter(cluster -> Labels.keyOf(cluster).equals(key))
                .toList();
        return recent.over(found, EtcdCluster.class, cluster -> false).stream()
                .findFirst()
                .map(cluster -> new ClusterObjects(
                        cluster,
                        of(key, EtcdPeer.class),
                        of(key, PersistentVolumeClaim.class),
                        of(key, ReplicaSet.class),
                        of(key, Pod.class),
                        Stream.of(Service.class, PodDisruptionBudget.class, NetworkPolicy.class)
                                .<HasMetadata>flatMap(kind -> of(key, kind).stream())
                                .toList(),
                        of(key, Secret.class),
                        List.of(),
                        List.of(),
                        List.of(),
                        nodesUp(),
                        NodeAddresses.of(all(Node.class).stream()),
                        Map.of()));
    }

    private Set<String> nodesUp() {
        return all(Node.class).stream()
                .filter(FakeNodes::isReady)
                .map(node -> node.getMetadata().getName())
                .collect(toSet());
    }

    @Override
    public Optional<PeerObjects> peer(PeerKey key) {
        return one(EtcdPeer.class, key.name())
                .map(peer -> new PeerObjects(peer, one(ReplicaSet.class, key.name()), podsOf(key.name())));
    }

    private List<Pod> podsOf(String peer) {
        return all(Pod.class).stream()
                .filter(pod -> peer.equals(pod.getMetadata().getLabels().get(Labels.PEER)))
                .toList();
    }

    private <T extends HasMetadata> Optional<T> one(Class<T> kind, String name) {
        List<T> found = all(kind).stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .toList();
        return recent.over(found, kind, object -> object.getMetadata().getName().equals(name)).stream()
                .findFirst();
    }

    private <T extends HasMetadata> List<T> of(ClusterKey key, Class<T> kind) {
        List<T> cached = all(kind).stream().filter(object -> isOf(key, object)).toList();
        return recent.over(cached, kind, object -> isOf(key, object));
    }

    private static boolean isOf(ClusterKey key, HasMetadata object) {
        return key.name().equals(object.getMetadata().getLabels().get(Labels.CLUSTER));
    }
}
