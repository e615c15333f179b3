package etcdoperator.simulation.trouble;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.PodMetadata;
import etcdoperator.api.PodTemplate;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.VersionPath;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.World;
import java.util.List;
import java.util.Map;

/** Users who want their cluster to be another one than it is. */
final class WishTroubles {
    private static final List<String> VERSIONS = List.of("3.5.35", "3.6.16", "3.7.0-rc.0", "3.7.3");

    private final World world;
    private final Dice dice;

    WishTroubles(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    void scale() {
        world.cluster().ifPresent(cluster -> {
            int replicas = dice.pick(List.of(0, 1, 2, 3, 3, 3, 4, 5)).orElseThrow();
            note("scale to " + replicas);
            change(cluster, cluster.getSpec().withReplicas(replicas));
        });
    }

    /** As the API server lets it through: it compares with what was asked for before, not with what runs. */
    void changeVersion() {
        world.cluster().ifPresent(cluster -> {
            var before = EtcdVersion.parse(cluster.getSpec().version());
            List<String> possible = VERSIONS.stream()
                    .filter(version -> VersionPath.refusal(before, EtcdVersion.parse(version))
                            .isEmpty())
                    .toList();
            dice.pick(possible).ifPresent(version -> {
                note("version " + version);
                change(cluster, cluster.getSpec().withVersion(version));
            });
        });
    }

    void changeSettings() {
        world.cluster().ifPresent(cluster -> {
            String word = dice.pick(List.of("one", "other")).orElseThrow();
            note("settings " + word);
            var metadata = new PodMetadata(Map.of("settings", word), Map.of());
            change(
                    cluster,
                    cluster.getSpec()
                            .withPodTemplate(
                                    new PodTemplate(metadata, null, null, null, null, null, null, null, null, null)));
        });
    }

    private void change(EtcdCluster cluster, EtcdClusterSpec spec) {
        world.server().change(cluster, changed -> {
            changed.setSpec(spec);
            changed.getMetadata().setGeneration(cluster.getMetadata().getGeneration() + 1);
            return changed;
        });
    }

    private void note(String line) {
        world.trace().note("trouble: " + line);
    }
}
