package etcdoperator.simulation.world;

import etcdoperator.kube.fabric.RecentWrites;
import etcdoperator.simulation.kube.FakeControllers;
import etcdoperator.simulation.kube.Wire;
import etcdoperator.simulation.kube.Witness;
import etcdoperator.simulation.kube.WrittenDown;
import etcdoperator.simulation.replay.Dice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The simulated API server for tests of one pass, which change objects by hand and see each write of the pass. */
public final class FakeNamespace {
    private final World world = new World(new Dice(1));
    private final WrittenDown kube;

    public FakeNamespace(Instant now) {
        world.clock().set(now);
        var operator = new SimulatedOperator("operator", world, Sabotage.NONE, () -> {});
        this.kube = new WrittenDown(
                world.kube(
                        new RecentWrites(world.clock()::nanoTime),
                        new Wire(operator, Witness.NONE, world.trace(), () -> {})),
                object -> get(object.getClass(), object.getMetadata().getName())
                        .filter(FakeControllers::isLetGo)
                        .ifPresent(this::remove));
    }

    /** The operator's hand, which can be told to fail. */
    public WrittenDown kube() {
        return kube;
    }

    public Clock clock() {
        return world.clock();
    }

    public void set(Instant now) {
        world.clock().set(now);
    }

    /** By somebody else; one of the same name is replaced. */
    public <T extends HasMetadata> T put(T object) {
        object.getMetadata().setNamespace(World.KEY.namespace());
        if (object instanceof Pod pod && pod.getSpec() == null) {
            pod.setSpec(new PodSpec());
        }
        return world.server().put(Serialization.clone(object));
    }

    /** From one moment to the next, whatever holds it. */
    public void remove(HasMetadata object) {
        world.server().remove(object);
    }

    /** As a person deletes it: what is held back stays until it is let go. */
    public void delete(HasMetadata object) {
        world.controllers().delete(object);
    }

    public <T extends HasMetadata> Optional<T> get(Class<T> kind, String name) {
        return world.server().get(kind, name).map(Serialization::clone);
    }

    public <T extends HasMetadata> List<T> all(Class<T> kind) {
        return cached(kind).stream().map(Serialization::clone).toList();
    }

    /** For passes, which change nothing of what they read. */
    public <T extends HasMetadata> List<T> cached(Class<T> kind) {
        return world.server().list(kind);
    }

    public <T extends HasMetadata> List<T> labelled(Class<T> kind, String label, String value) {
        return cached(kind).stream()
                .filter(object -> value.equals(object.getMetadata().getLabels().get(label)))
                .toList();
    }

    public <T extends HasMetadata> Optional<T> cached(Class<T> kind, String name) {
        return world.server().get(kind, name);
    }
}
