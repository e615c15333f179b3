package etcdoperator.simulation.world;

import etcdoperator.contract.kube.KubeStage;
import etcdoperator.kube.Kube;
import etcdoperator.simulation.replay.Dice;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** The simulated API server, as a stage for contracts. */
final class FakeKubeStage {
    private FakeKubeStage() {}

    static KubeStage open() {
        var world = new World(new Dice(1));
        var operator = new SimulatedOperator("operator", world, Sabotage.NONE, () -> {});
        return new KubeStage() {
            @Override
            public String namespace() {
                return World.KEY.namespace();
            }

            @Override
            public Kube kube() {
                return operator.kube();
            }

            @Override
            public <T extends HasMetadata> T make(T object) {
                return world.server().create(object);
            }

            @Override
            public void remove(HasMetadata object) {
                world.server().remove(object);
            }

            @Override
            @SuppressWarnings("unchecked")
            public <T extends HasMetadata> Optional<T> get(T object) {
                return (Optional<T>) world.server()
                        .get(object.getClass(), object.getMetadata().getName());
            }

            @Override
            public void close() {}
        };
    }
}
