package etcdoperator.simulation;

import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.KubeCache;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.world.Sabotage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What an operator sees, with something wrong in it. */
final class Sight {
    private Sight() {}

    static Sabotage ofPods(UnaryOperator<List<Pod>> spoil) {
        return spoiled(
                seen -> new ClusterObjects(
                        seen.cluster(),
                        seen.peers(),
                        seen.claims(),
                        seen.replicaSets(),
                        spoil.apply(seen.pods()),
                        seen.support(),
                        seen.secrets(),
                        seen.backups(),
                        seen.recoveries(),
                        seen.volumeWarnings(),
                        seen.nodesUp(),
                        seen.nodeAddresses(),
                        seen.lostVolumes()),
                seen -> new KubeCache.PeerObjects(seen.peer(), seen.replicaSet(), spoil.apply(seen.pods())));
    }

    static Sabotage ofCluster(UnaryOperator<ClusterObjects> spoil) {
        return spoiled(spoil, seen -> seen);
    }

    private static Sabotage spoiled(
            UnaryOperator<ClusterObjects> clusters, UnaryOperator<KubeCache.PeerObjects> peers) {
        return new Sabotage() {
            @Override
            public KubeCache cache(KubeCache honest) {
                return new KubeCache() {
                    @Override
                    public Optional<ClusterObjects> cluster(ClusterKey key) {
                        return honest.cluster(key).map(clusters);
                    }

                    @Override
                    public List<PersistentVolumeClaim> claimsOf(ClusterKey key) {
                        return honest.claimsOf(key);
                    }

                    @Override
                    public Optional<PeerObjects> peer(PeerKey key) {
                        return honest.peer(key).map(peers);
                    }
                };
            }
        };
    }

    static <T extends HasMetadata> T annotated(T object, Map<String, String> annotations) {
        Map<String, String> merged = new TreeMap<>(object.getMetadata().getAnnotations());
        merged.putAll(annotations);
        return Objects.with(
                object,
                new ObjectMetaBuilder(object.getMetadata())
                        .withAnnotations(merged)
                        .build());
    }
}
