package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;

/** How many of a cluster's pods a drain may take at once. */
public final class DisruptionBudget {
    private DisruptionBudget() {}

    public static PodDisruptionBudget allowing(int disruptions, EtcdCluster cluster) {
        var key = Labels.keyOf(cluster);
        return new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .withLabels(Labels.ofCluster(key))
                .withOwnerReferences(Owned.by(cluster))
                .endMetadata()
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(disruptions))
                .withNewSelector()
                .withMatchLabels(Labels.selectorOf(key))
                .endSelector()
                .endSpec()
                .build();
    }
}
