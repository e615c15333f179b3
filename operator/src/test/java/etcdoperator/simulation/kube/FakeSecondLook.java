package etcdoperator.simulation.kube;

import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the API server knows of claims, and of nodes with volumes that nobody else has, whatever caches have. */
final class FakeSecondLook {
    private final FakeApiServer server;
    private final FakeDisks disks;

    FakeSecondLook(FakeApiServer server, FakeDisks disks) {
        this.server = server;
        this.disks = disks;
    }

    void requireAsSeen(ClusterObjects seen) throws StaleViewException {
        String name = seen.cluster().getMetadata().getName();
        List<PersistentVolumeClaim> claims = server.list(PersistentVolumeClaim.class).stream()
                .filter(claim -> name.equals(claim.getMetadata().getLabels().get(Labels.CLUSTER)))
                .toList();
        if (!versions(claims).equals(versions(seen.claims()))) {
            throw new StaleViewException("the claims are not as they were seen");
        }
        if (!lostVolumes(claims, server.list(Node.class), disks)
                .keySet()
                .containsAll(seen.lostVolumes().keySet())) {
            throw new StaleViewException("a node with a volume may be back");
        }
    }

    private static Map<String, String> versions(List<PersistentVolumeClaim> claims) {
        return claims.stream()
                .collect(Collectors.toMap(
                        claim -> claim.getMetadata().getUid(),
                        claim -> claim.getMetadata().getResourceVersion()));
    }

    static Map<String, String> lostVolumes(List<PersistentVolumeClaim> claims, List<Node> nodes, FakeDisks disks) {
        Map<String, String> lost = new TreeMap<>();
        for (PersistentVolumeClaim claim : claims) {
            disks.home(claim)
                    .filter(home -> nodes.stream()
                            .noneMatch(node ->
                                    node.getMetadata().getName().equals(home) && !NodeObjects.isOutOfService(node)))
                    .ifPresent(home ->
                            lost.put(claim.getMetadata().getName(), "its volume was on node %s".formatted(home)));
        }
        return lost;
    }
}
