package etcdoperator.kube.fabric;

import static java.util.stream.Collectors.toMap;

import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads past all caches what a loss of data was concluded from: a watch may stand still without anybody noticing. It
 * only lists, which the watches have to be allowed anyway.
 */
final class SecondLook {
    private final KubernetesClient client;

    SecondLook(KubernetesClient client) {
        this.client = client;
    }

    void requireAsSeen(ClusterObjects seen) throws StaleViewException {
        ClusterKey key = Labels.keyOf(seen.cluster());
        List<PersistentVolumeClaim> claims = client.persistentVolumeClaims()
                .inNamespace(key.namespace())
                .withLabel(Labels.CLUSTER, key.name())
                .list()
                .getItems();
        if (!versions(claims).equals(versions(seen.claims()))) {
            throw new StaleViewException("the claims of EtcdCluster %s are not as they were seen".formatted(key));
        }
        for (PersistentVolumeClaim claim : claims) {
            if (seen.lostVolumes().containsKey(claim.getMetadata().getName()) && !isLost(claim)) {
                throw new StaleViewException("a node that has a volume of EtcdCluster %s may be back".formatted(key));
            }
        }
    }

    private static Map<String, String> versions(List<PersistentVolumeClaim> claims) {
        return claims.stream()
                .collect(toMap(
                        claim -> claim.getMetadata().getUid(),
                        claim -> claim.getMetadata().getResourceVersion()));
    }

    /** Only the nodes in question: there may be thousands, and many clusters that ask at once. */
    private boolean isLost(PersistentVolumeClaim claim) {
        Optional<PersistentVolume> volume = Optional.ofNullable(claim.getSpec().getVolumeName()).stream()
                .flatMap(name -> client.persistentVolumes().withField("metadata.name", name).list().getItems().stream())
                .findFirst();
        List<Node> nodes = volume.stream()
                .flatMap(found -> TiedVolumes.hostsOf(found).stream())
                .flatMap(this::nodesCalled)
                .toList();
        return !new TiedVolumes(nodes).lost(List.of(claim), name -> volume).isEmpty();
    }

    private Stream<Node> nodesCalled(String host) {
        return Stream.concat(
                client.nodes().withField("metadata.name", host).list().getItems().stream(),
                client.nodes().withLabel(TiedVolumes.HOST_NAME, host).list().getItems().stream());
    }
}
