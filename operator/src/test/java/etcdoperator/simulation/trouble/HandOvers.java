package etcdoperator.simulation.trouble;

import etcdoperator.manifest.Labels;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.world.Installations;
import etcdoperator.simulation.world.World;
import java.util.List;

/** Users who ask another installation to manage the cluster, or one that does not exist. */
final class HandOvers {
    private final World world;
    private final Dice dice;

    HandOvers(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    void handOver() {
        List<String> asked = List.of(
                Installations.FIRST.toString(),
                Installations.SECOND.toString(),
                Installations.SECOND.toString(),
                "nonsense",
                "");
        world.cluster()
                .ifPresent(cluster -> dice.pick(asked).ifPresent(installation -> {
                    world.trace().note("trouble: hand the cluster over to \"" + installation + "\"");
                    world.server().change(cluster, changed -> {
                        changed.getMetadata().getAnnotations().put(Labels.INSTALLATION, installation);
                        return changed;
                    });
                }));
    }
}
