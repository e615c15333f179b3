package etcdoperator.manifest;

import etcdoperator.api.PodTemplate;
import etcdoperator.domain.ClusterKey;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.AffinityBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import java.util.List;

/** Where members go if the user does not say: to hosts of their own, as long as there are enough. */
final class Placement {
    private static final String HOST = "kubernetes.io/hostname";

    private Placement() {}

    static Affinity affinity(PodTemplate template, ClusterKey cluster) {
        if (template.affinity() != null) {
            return template.affinity();
        }
        return new AffinityBuilder()
                .withNewPodAntiAffinity()
                .addNewPreferredDuringSchedulingIgnoredDuringExecution()
                .withWeight(100)
                .withNewPodAffinityTerm()
                .withNewLabelSelector()
                .withMatchLabels(Labels.selectorOf(cluster))
                .endLabelSelector()
                .withTopologyKey(HOST)
                .endPodAffinityTerm()
                .endPreferredDuringSchedulingIgnoredDuringExecution()
                .endPodAntiAffinity()
                .build();
    }

    /**
     * Affinity counts pods that are on their way out, so that a killed pod's successor may join another member on its
     * host for good, and quorum goes with that host. Spreading does not count them.
     */
    static List<TopologySpreadConstraint> spread(PodTemplate template, ClusterKey cluster) {
        if (template.affinity() != null || !template.topologySpreadConstraints().isEmpty()) {
            return template.topologySpreadConstraints();
        }
        return List.of(new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(HOST)
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(Labels.selectorOf(cluster))
                .endLabelSelector()
                .build());
    }
}
