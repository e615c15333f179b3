package etcdoperator.simulation.kube;

import static java.util.stream.Collectors.toSet;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.KubeCache;
import etcdoperator.kube.RestoreCache.Namesakes;
import etcdoperator.kube.fabric.NodeAddresses;
import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Caches as informers keep them: each kind as old as its own watch, and over them what this process wrote itself. */
public final class LaggingCache implements KubeCache {
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

    private final RecentWrites recent;
    private final Watches watches;
    private final FakeDisks disks;
    private final Function<ClusterKey, Neighbours> neighbours;

    /** What other caches have that has to do with a cluster. */
    public record Neighbours(List<EtcdBackup> backups, List<EtcdRestore> recoveries) {}

    /** @param disks the nodes that alone have volumes */
    public LaggingCache(
            FakeApiServer server,
            RecentWrites recent,
            FakeDisks disks,
            Function<ClusterKey, Neighbours> neighbours,
            Consumer<HasMetadata> changed) {
        this.recent = recent;
        this.disks = disks;
        this.neighbours = neighbours;
        this.watches =
                new Watches(server, KINDS, LaggingCache::isWatched, new Watches.Listener(changed, recent::forget));
        KINDS.forEach(kind -> recent.followedBy(kind, () -> watches.reached(kind)));
    }

    private static boolean isWatched(HasMetadata object) {
        return !(object instanceof PersistentVolumeClaim || object instanceof Pod)
                || object.getMetadata().getLabels().containsKey(Labels.CLUSTER);
    }

    public Watches watches() {
        return watches;
    }

    public void stall(Class<? extends HasMetadata> kind) {
        watches.stall(kind);
    }

    public List<Class<? extends HasMetadata>> behind() {
        return watches.behind();
    }

    public <T extends HasMetadata> List<T> all(Class<T> kind) {
        return watches.all(kind);
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
                        neighbours.apply(key).backups(),
                        neighbours.apply(key).recoveries(),
                        List.of(),
                        nodesUp(),
                        NodeAddresses.of(all(Node.class).stream()),
                        lostVolumes(key)));
    }

    @Override
    public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
        return of(key, PersistentVolumeClaim.class);
    }

    public Namesakes namesakes(ClusterKey key) {
        return new Namesakes(
                one(EtcdCluster.class, key.name()),
                of(key, EtcdPeer.class),
                of(key, Pod.class),
                of(key, PersistentVolumeClaim.class),
                lostVolumes(key).keySet());
    }

    private Map<String, String> lostVolumes(ClusterKey key) {
        return FakeSecondLook.lostVolumes(of(key, PersistentVolumeClaim.class), all(Node.class), disks);
    }

    private Set<String> nodesUp() {
        return all(Node.class).stream()
                .filter(NodeObjects::isReady)
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
