package etcdoperator.simulation.kube;

import etcdoperator.kube.Kube.RefusedException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Our fields win, others' stay, and nobody gets a second controller. */
public final class ServerSideApply {
    private ServerSideApply() {}

    static HasMetadata merge(FakeApiServer server, HasMetadata present, HasMetadata desired) throws RefusedException {
        Optional<String> owner = Objects.controllerUid(present);
        if (owner.isPresent() && !owner.equals(Objects.controllerUid(desired))) {
            throw new RefusedException(Objects.describe(desired) + ": only one owner can be its controller");
        }
        return server.change(present, changed -> {
            var metadata = changed.getMetadata();
            metadata.setOwnerReferences(desired.getMetadata().getOwnerReferences());
            metadata.setLabels(
                    merged(metadata.getLabels(), desired.getMetadata().getLabels()));
            metadata.setAnnotations(
                    merged(metadata.getAnnotations(), desired.getMetadata().getAnnotations()));
            switch (changed) {
                case Service service -> service.setSpec(((Service) desired).getSpec());
                case PodDisruptionBudget budget -> budget.setSpec(((PodDisruptionBudget) desired).getSpec());
                case NetworkPolicy policy -> policy.setSpec(((NetworkPolicy) desired).getSpec());
                case ReplicaSet set -> set.setSpec(((ReplicaSet) desired).getSpec());
                default -> throw new IllegalArgumentException("nobody applies " + Objects.describe(desired));
            }
            return changed;
        });
    }

    public static Map<String, String> merged(Map<String, String> present, Map<String, String> ours) {
        Map<String, String> merged = new TreeMap<>(present);
        merged.putAll(ours);
        return merged;
    }
}
