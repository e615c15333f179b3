package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator last saw of a cluster. It is as fresh as its contact with the members. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdClusterStatus(
        @JsonPropertyDescription("The generation of the spec that this status answers to.") @Nullable
        Long observedGeneration,

        @JsonPropertyDescription("How many EtcdPeers the cluster has. It may differ from the number of members while"
                + " the cluster is being created or changed.")
        @StatusReplicas
        int replicas,

        @JsonPropertyDescription("How many peers have a healthy member.")
        int readyReplicas,

        @JsonPropertyDescription("Label selector of the etcd pods, for kubectl scale and autoscalers.")
        @LabelSelector
        @Nullable
        String selector,

        @JsonPropertyDescription("The members as etcd lists them. Stale when etcd cannot be reached.")
        List<MemberStatus> members,

        @JsonPropertyDescription("Name of the member that leads; absent when there is none or it is not known.")
        @Nullable
        String leader,

        @JsonPropertyDescription("The id of the etcd cluster, in hexadecimal as etcdctl prints it.") @Nullable
        String clusterId,

        @JsonPropertyDescription("The version the cluster as a whole has agreed on, as etcd reports it.")
        @Size(max = 64)
        @Nullable
        String clusterVersion,

        @JsonPropertyDescription("URLs where clients in the Kubernetes cluster reach etcd.")
        List<String> endpoints,

        @JsonPropertyDescription("What is being done to the cluster; absent when nothing is.") @Nullable
        OperationStatus operation,

        @JsonPropertyDescription("Available: a quorum answers. Progressing: a step is in flight or awaited. Degraded: a"
                + " member is not well.")
        List<Condition> conditions) {

    /** A cluster of which nothing is known yet. */
    public static final EtcdClusterStatus EMPTY =
            new EtcdClusterStatus(null, 0, 0, null, null, null, null, null, null, null, null);

    public EtcdClusterStatus(
            @Nullable Long observedGeneration,
            int replicas,
            int readyReplicas,
            @Nullable String selector,
            @Nullable List<MemberStatus> members,
            @Nullable String leader,
            @Nullable String clusterId,
            @Nullable String clusterVersion,
            @Nullable List<String> endpoints,
            @Nullable OperationStatus operation,
            @Nullable List<Condition> conditions) {
        this.observedGeneration = observedGeneration;
        this.replicas = replicas;
        this.readyReplicas = readyReplicas;
        this.selector = selector;
        this.members = Immutable.list(members);
        this.leader = leader;
        this.clusterId = clusterId;
        this.clusterVersion = clusterVersion;
        this.endpoints = Immutable.list(endpoints);
        this.operation = operation;
        this.conditions = Immutable.list(conditions);
    }

    /** The same status with another operation, or with none: the operation is written before its first effect. */
    public EtcdClusterStatus withOperation(@Nullable OperationStatus newOperation) {
        return new EtcdClusterStatus(
                observedGeneration,
                replicas,
                readyReplicas,
                selector,
                members,
                leader,
                clusterId,
                clusterVersion,
                endpoints,
                newOperation,
                conditions);
    }

    public EtcdClusterStatus withConditions(List<Condition> newConditions) {
        return new EtcdClusterStatus(
                observedGeneration,
                replicas,
                readyReplicas,
                selector,
                members,
                leader,
                clusterId,
                clusterVersion,
                endpoints,
                operation,
                newConditions);
    }
}
