package etcdoperator.exploration;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.PodMetadata;
import etcdoperator.api.PodTemplate;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.simulation.kube.ServerSideApply;
import etcdoperator.simulation.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What users change in the spec of a cluster. */
final class Wish {
    private Wish() {}

    /** The changes that are one, by name. */
    static List<String> possible(Scene scene) {
        Optional<EtcdCluster> cluster = scene.world().cluster();
        List<String> all = new ArrayList<>();
        cluster.map(EtcdCluster::getSpec).ifPresent(spec -> {
            all.add("settings");
            all.add("replicas=" + (spec.replicas() + 1));
            if (spec.replicas() > 1) {
                all.add("replicas=" + (spec.replicas() - 1));
            }
            if (spec.replicas() > 0) {
                all.add("replicas=0");
            }
        });
        return all;
    }

    static void change(Scene scene, String wish) {
        if (wish.equals("settings")) {
            settings(scene, "other");
        } else {
            replicas(scene, Integer.parseInt(wish.substring("replicas=".length())));
        }
    }

    static void replicas(Scene scene, int replicas) {
        change(scene, spec -> spec.withReplicas(replicas));
    }

    static void version(Scene scene, String version) {
        change(scene, spec -> spec.withVersion(version));
    }

    static void settings(Scene scene, String word) {
        var metadata = new PodMetadata(Map.of("settings", word), Map.of());
        var template = new PodTemplate(metadata, null, null, null, null, null, null, null, null, null);
        change(scene, spec -> spec.withPodTemplate(template));
    }

    static void tls(Scene scene) {
        change(scene, spec -> spec.withTls(World.ENCRYPTED.orElseThrow()));
    }

    static void rotation(Scene scene) {
        scene.world()
                .cluster()
                .ifPresent(cluster -> scene.world().server().change(cluster, changed -> {
                    changed.getMetadata()
                            .setAnnotations(ServerSideApply.merged(
                                    changed.getMetadata().getAnnotations(), Map.of(TlsSecrets.ROTATE, "now")));
                    return changed;
                }));
    }

    private static void change(Scene scene, UnaryOperator<EtcdClusterSpec> change) {
        World world = scene.world();
        scene.disturb();
        world.cluster()
                .ifPresent(cluster -> world.server().change(cluster, changed -> {
                    changed.setSpec(change.apply(cluster.getSpec()));
                    changed.getMetadata().setGeneration(cluster.getMetadata().getGeneration() + 1);
                    return changed;
                }));
    }
}
