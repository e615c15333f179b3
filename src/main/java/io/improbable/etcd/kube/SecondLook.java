package io.improbable.etcd.kube;

import static java.util.stream.Collectors.toMap;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.kube.Kube.StaleViewException;
import io.improbable.etcd.manifest.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        if (!seen.lostVolumes().isEmpty()
                && !lostVolumes(claims).keySet().containsAll(seen.lostVolumes().keySet())) {
            throw new StaleViewException("a node that has a volume of EtcdCluster %s may be back".formatted(key));
        }
    }

    private static Map<String, String> versions(List<PersistentVolumeClaim> claims) {
        return claims.stream()
                .collect(toMap(
                        claim -> claim.getMetadata().getUid(),
                        claim -> claim.getMetadata().getResourceVersion()));
    }

    private Map<String, String> lostVolumes(List<PersistentVolumeClaim> claims) {
        return new TiedVolumes(client.nodes().list().getItems()).lost(claims, this::volume);
    }

    private Optional<PersistentVolume> volume(String name) {
        return client.persistentVolumes().withField("metadata.name", name).list().getItems().stream()
                .findFirst();
    }
}
