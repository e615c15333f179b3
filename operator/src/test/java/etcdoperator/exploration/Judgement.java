package etcdoperator.exploration;

import etcdoperator.api.EtcdCluster;
import etcdoperator.simulation.Comeback;
import etcdoperator.simulation.Wholeness;
import etcdoperator.simulation.rules.Violation;
import etcdoperator.simulation.trouble.Troubles;
import etcdoperator.simulation.world.Operators;
import etcdoperator.simulation.world.Sabotage;
import etcdoperator.simulation.world.SaidStatus;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Optional;

/** Whether a run has ended well: the cluster is all that is asked for, or says what it waits for and what ends the wait. */
final class Judgement {
    private final Scene scene;
    private final World world;

    Judgement(Scene scene) {
        this.scene = scene;
        this.world = scene.world();
    }

    /** Empty where the cluster is whole, or becomes so when a user does what the status asks for. */
    Optional<String> verdict() {
        Optional<String> complaint = complaint();
        if (complaint.isEmpty()) {
            return complaint;
        }
        if (isOverdue()) {
            return Optional.of("most voters are lost for good, and nothing has come of it: " + complaint.get());
        }
        Optional<Wait> wait = Wait.of(scene);
        if (wait.isEmpty()) {
            return complaint;
        }
        wait.get().end(scene);
        scene.disturb();
        Rest.reach(scene);
        return complaint().map(after -> "after the user has ended " + wait.get() + ": " + after);
    }

    /** Whether it had to be recovered by itself. */
    private boolean isOverdue() {
        return world.cluster()
                .filter(cluster -> new Comeback(world, scene.rules(), cluster).isOverdue(SaidStatus.of(cluster)))
                .isPresent();
    }

    /** What is missing to a cluster that is whole. */
    Optional<String> complaint() {
        Optional<EtcdCluster> cluster = world.cluster();
        if (cluster.isEmpty()) {
            return Optional.of("there is no cluster");
        }
        SaidStatus status = SaidStatus.of(cluster.get());
        boolean serving = world.leaders().findAny().isPresent();
        boolean said = status.condition("Available")
                .map(Condition::getStatus)
                .filter("True"::equals)
                .isPresent();
        if (serving != said) {
            return Optional.of((serving ? "etcd serves, but" : "etcd does not serve, but") + status);
        }
        if (!"Settled".equals(status.reason("Progressing"))) {
            return Optional.of("not settled:" + status);
        }
        return wholeness(cluster.get(), status);
    }

    private Optional<String> wholeness(EtcdCluster cluster, SaidStatus status) {
        var order = new FixedOrder();
        var troubles = new Troubles(world, order, new Operators(world, order, Sabotage.NONE, () -> {}));
        try {
            new Wholeness(world, scene.rules(), troubles).check(cluster, status);
            return Optional.empty();
        } catch (Violation violation) {
            return Optional.of(String.valueOf(violation.getMessage()));
        }
    }
}
