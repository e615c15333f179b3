package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The nodes and the volumes on them, which belong to no namespace, and who has to hear of a change. */
final class NodeWatch {
    private final Watched<Node> nodes;
    private final Watched<PersistentVolume> volumes;
    private final Consumer<String> cameOrWent;
    private final Runnable renamed;
    private final Set<String> knownUp = ConcurrentHashMap.newKeySet();
    private final Map<String, Set<String>> addresses = new ConcurrentHashMap<>();

    /** @param cameOrWent told the name of a node that is heard of again, or is not any more @param renamed told when one is called otherwise */
    NodeWatch(KubernetesClient client, Consumer<String> cameOrWent, Runnable renamed) {
        this.cameOrWent = cameOrWent;
        this.renamed = renamed;
        this.nodes = new Watched<>(client, Node.class, Set.of(), Watched.EVERYTHING, this::nodeChanged);
        // What a volume is tied to never changes, and its claim tells of all else.
        this.volumes = new Watched<>(client, PersistentVolume.class, Set.of(), Watched.EVERYTHING, volume -> {});
    }

    Stream<Watched<?>> all() {
        return Stream.of(nodes, volumes);
    }

    /** As the cache has them: who is told of them may be told late, and would take a node for dead that is only new. */
    Set<String> up() {
        return nodes.all()
                .filter(NodeWatch::isUp)
                .map(node -> node.getMetadata().getName())
                .collect(Collectors.toUnmodifiableSet());
    }

    Set<String> addresses() {
        return NodeAddresses.of(nodes.all());
    }

    Map<String, String> lostVolumes(List<PersistentVolumeClaim> claims) {
        return new TiedVolumes(nodes.all().toList()).lost(claims, name -> volumes.get("", name));
    }

    /** Nodes tell of themselves every few minutes; only one that comes or goes, or is called otherwise, is news. */
    private void nodeChanged(Node node) {
        String name = node.getMetadata().getName();
        boolean up = nodes.get("", name).filter(NodeWatch::isUp).isPresent();
        if (up ? knownUp.add(name) : knownUp.remove(name)) {
            cameOrWent.accept(name);
        }
        Set<String> called = nodes.get("", name).map(NodeAddresses::of).orElse(Set.of());
        Set<String> before = called.isEmpty() ? addresses.remove(name) : addresses.put(name, called);
        if (!called.equals(Objects.requireNonNullElse(before, Set.of()))) {
            renamed.run();
        }
    }

    static boolean isUp(Node node) {
        return node.getMetadata().getDeletionTimestamp() == null
                && node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition ->
                                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }
}
