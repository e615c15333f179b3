package etcdoperator.manifest;

import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pods of this installation of the operator, as a NetworkPolicy selects them: anybody may give the same labels to
 * pods in another namespace.
 *
 * @param name its label {@code app.kubernetes.io/name}; empty if it has none
 * @param instance its label {@code app.kubernetes.io/instance}; empty if it has none
 */
public record OperatorPods(String namespace, String name, String instance) {
    /** As the manifests of this project install it. */
    public static final OperatorPods USUAL =
            new OperatorPods("etcd-operator-system", "etcd-operator", "etcd-operator");

    NetworkPolicyPeer peer() {
        return new NetworkPolicyPeerBuilder()
                .withNewNamespaceSelector()
                .addToMatchLabels("kubernetes.io/metadata.name", namespace)
                .endNamespaceSelector()
                .withNewPodSelector()
                .withMatchLabels(labels())
                .endPodSelector()
                .build();
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new TreeMap<>();
        if (!name.isEmpty()) {
            labels.put("app.kubernetes.io/name", name);
        }
        if (!instance.isEmpty()) {
            labels.put("app.kubernetes.io/instance", instance);
        }
        return labels;
    }
}
