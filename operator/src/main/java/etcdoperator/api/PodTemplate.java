package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What users may add to the pods that run etcd; the rest of the pod is the operator's. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PodTemplate(
        @JsonPropertyDescription("Annotations and labels of the pods.") @Nullable
        PodMetadata metadata,

        @JsonPropertyDescription("Resource requests and limits of the etcd container. With a CPU limit, GOMAXPROCS is"
                + " set to it, rounded down and at least 1.")
        @ValidationRule(
                value = "!has(self.claims)",
                message = "podTemplate.resources.claims is not supported by the operator: remove it, and use"
                        + " requests and limits")
        @Nullable
        ResourceRequirements resources,

        @JsonPropertyDescription("Affinity of the pods. Default: pods of one cluster prefer different hosts.") @Nullable
        Affinity affinity,

        @JsonPropertyDescription("Labels a node must have to run the pods.")
        Map<String, String> nodeSelector,

        @JsonPropertyDescription("Taints of nodes that the pods tolerate.")
        List<Toleration> tolerations,

        @JsonPropertyDescription(
                "How the pods spread over zones, hosts and the like. Default, without affinity of your own: over hosts, as long as there are enough.")
        List<TopologySpreadConstraint> topologySpreadConstraints,

        @JsonPropertyDescription("Name of the PriorityClass of the pods.") @Nullable
        String priorityClassName,

        @JsonPropertyDescription("Security context of the pods. What it leaves out is set by the operator: etcd runs as"
                + " a non-root user.")
        @ValidationRule(
                value = "!has(self.runAsUser) || self.runAsUser != 0"
                        + " || (has(self.runAsNonRoot) && !self.runAsNonRoot)",
                message = "podTemplate.securityContext.runAsUser must not be 0, because nodes refuse to run etcd as"
                        + " root: remove it, or set runAsNonRoot to false as well")
        @Nullable
        PodSecurityContext securityContext,

        @JsonPropertyDescription("Secrets with credentials for the image's registry.")
        List<LocalObjectReference> imagePullSecrets,

        @JsonPropertyDescription("Environment variables of the etcd container. GOMAXPROCS and names that start with"
                + " ETCD_ are reserved.")
        @Size(max = 64)
        @ValidationRule(
                value = "self.all(e, !e.name.startsWith('ETCD_') && e.name != 'GOMAXPROCS')",
                message = "podTemplate.env must not set GOMAXPROCS or a name that starts with ETCD_, which the"
                        + " operator sets itself: remove it")
        List<EnvVar> env) {

    public static final PodTemplate EMPTY = new PodTemplate(null, null, null, null, null, null, null, null, null, null);

    public PodTemplate(
            @Nullable PodMetadata metadata,
            @Nullable ResourceRequirements resources,
            @Nullable Affinity affinity,
            @Nullable Map<String, String> nodeSelector,
            @Nullable List<Toleration> tolerations,
            @Nullable List<TopologySpreadConstraint> topologySpreadConstraints,
            @Nullable String priorityClassName,
            @Nullable PodSecurityContext securityContext,
            @Nullable List<LocalObjectReference> imagePullSecrets,
            @Nullable List<EnvVar> env) {
        this.metadata = metadata;
        this.resources = resources;
        this.affinity = affinity;
        this.nodeSelector = Immutable.map(nodeSelector);
        this.tolerations = Immutable.list(tolerations);
        this.topologySpreadConstraints = Immutable.list(topologySpreadConstraints);
        this.priorityClassName = priorityClassName;
        this.securityContext = securityContext;
        this.imagePullSecrets = Immutable.list(imagePullSecrets);
        this.env = Immutable.list(env);
    }

    public PodTemplate withAffinity(Affinity newAffinity) {
        return new PodTemplate(
                metadata,
                resources,
                newAffinity,
                nodeSelector,
                tolerations,
                topologySpreadConstraints,
                priorityClassName,
                securityContext,
                imagePullSecrets,
                env);
    }

    public PodTemplate withResources(ResourceRequirements newResources) {
        return new PodTemplate(
                metadata,
                newResources,
                affinity,
                nodeSelector,
                tolerations,
                topologySpreadConstraints,
                priorityClassName,
                securityContext,
                imagePullSecrets,
                env);
    }

    public PodTemplate withMetadata(PodMetadata newMetadata) {
        return new PodTemplate(
                newMetadata,
                resources,
                affinity,
                nodeSelector,
                tolerations,
                topologySpreadConstraints,
                priorityClassName,
                securityContext,
                imagePullSecrets,
                env);
    }

    public PodMetadata metadataOrEmpty() {
        return metadata == null ? PodMetadata.EMPTY : metadata;
    }
}
