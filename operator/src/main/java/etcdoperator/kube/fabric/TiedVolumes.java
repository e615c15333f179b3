package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Which volumes went with their nodes. A volume that may be had on any other node, such as one of a zone, may come back
 * there; one that is tied to nodes by their names is lost when the last of these was deleted, or was declared out of
 * service. That a node is merely silent proves nothing. Pure.
 */
final class TiedVolumes {
    static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    private final List<Node> nodes;

    TiedVolumes(List<Node> nodes) {
        this.nodes = nodes;
    }

    /** Why, by the claims whose volumes are lost. */
    Map<String, String> lost(List<PersistentVolumeClaim> claims, Function<String, Optional<PersistentVolume>> volumes) {
        Map<String, String> lost = new TreeMap<>();
        for (PersistentVolumeClaim claim : claims) {
            Optional.ofNullable(claim.getSpec().getVolumeName())
                    .flatMap(volumes)
                    .flatMap(this::whyLost)
                    .ifPresent(why -> lost.put(claim.getMetadata().getName(), why));
        }
        return lost;
    }

    /** The only ones that can have it; empty where others could, too. */
    static Set<String> hostsOf(PersistentVolume volume) {
        Set<String> hosts = new TreeSet<>();
        for (NodeSelectorTerm term : terms(volume)) {
            Optional<List<String>> named = hostsOf(term);
            if (named.isEmpty()) {
                return Set.of();
            }
            hosts.addAll(named.get());
        }
        return hosts;
    }

    private Optional<String> whyLost(PersistentVolume volume) {
        Set<String> hosts = hostsOf(volume);
        return hosts.isEmpty() || hosts.stream().anyMatch(this::mayComeBack)
                ? Optional.empty()
                : Optional.of("its volume was on node %s, which %s"
                        .formatted(
                                String.join(" and ", hosts),
                                hosts.stream()
                                                .allMatch(host ->
                                                        named(host).findAny().isPresent())
                                        ? "is out of service"
                                        : "was deleted"));
    }

    private static List<NodeSelectorTerm> terms(PersistentVolume volume) {
        return volume.getSpec().getNodeAffinity() == null
                        || volume.getSpec().getNodeAffinity().getRequired() == null
                ? List.of()
                : volume.getSpec().getNodeAffinity().getRequired().getNodeSelectorTerms();
    }

    /** Empty where nodes of other names could have it, too. */
    private static Optional<List<String>> hostsOf(NodeSelectorTerm term) {
        return Stream.concat(
                        term.getMatchExpressions().stream().filter(rule -> HOST_NAME.equals(rule.getKey())),
                        term.getMatchFields().stream().filter(rule -> "metadata.name".equals(rule.getKey())))
                .filter(rule -> "In".equals(rule.getOperator()))
                .map(NodeSelectorRequirement::getValues)
                .findFirst();
    }

    /** A node that is ready is in service, whatever somebody forgot on it. */
    private boolean mayComeBack(String host) {
        return named(host).anyMatch(node -> !isOutOfService(node) || NodeWatch.isUp(node));
    }

    private Stream<Node> named(String host) {
        return nodes.stream()
                .filter(node -> host.equals(node.getMetadata().getName())
                        || host.equals(node.getMetadata().getLabels().get(HOST_NAME)));
    }

    private static boolean isOutOfService(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints().stream().anyMatch(taint -> OUT_OF_SERVICE.equals(taint.getKey()));
    }
}
