package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Services through which clients reach the cluster. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ServicesSpec(
        @JsonPropertyDescription("The Service NAME-client, which every cluster has.") @Nullable
        ClientService client,

        @JsonPropertyDescription("A Service of type NodePort, named NAME-client-service-np.") @Nullable
        NodePortService nodePort,

        @JsonPropertyDescription("A Service of type LoadBalancer, named NAME-client-lb.") @Nullable
        LoadBalancerService loadBalancer) {
    /** The Service inside the Kubernetes cluster. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClientService(
            @JsonPropertyDescription("Annotations of the Service.")
            Map<String, String> annotations) {
        public ClientService(@Nullable Map<String, String> annotations) {
            this.annotations = Immutable.map(annotations);
        }
    }

    /** A port on every node. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record NodePortService(
            @JsonPropertyDescription("Whether the Service exists. Default: false.") @Nullable
            Boolean enabled,

            @JsonPropertyDescription("The port on the nodes; Kubernetes chooses one when absent.")
            @Min(1)
            @Max(65535)
            @Nullable
            Integer port,

            @JsonPropertyDescription("Annotations of the Service.")
            Map<String, String> annotations) {
        public NodePortService(
                @Nullable Boolean enabled, @Nullable Integer port, @Nullable Map<String, String> annotations) {
            this.enabled = enabled;
            this.port = port;
            this.annotations = Immutable.map(annotations);
        }
    }

    /** A load balancer outside. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record LoadBalancerService(
            @JsonPropertyDescription("Whether the Service exists. Default: false.") @Nullable
            Boolean enabled,

            @JsonPropertyDescription("Annotations of the Service.")
            Map<String, String> annotations) {
        public LoadBalancerService(@Nullable Boolean enabled, @Nullable Map<String, String> annotations) {
            this.enabled = enabled;
            this.annotations = Immutable.map(annotations);
        }
    }
}
