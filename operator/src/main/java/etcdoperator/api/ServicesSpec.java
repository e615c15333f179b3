package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import java.util.Optional;
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

    static final String ANNOTATIONS =
            "Annotations of the Service. Keys that start with etcd.improbable.io/ are reserved.";
    static final String NOT_RESERVED = "self.all(k, !k.startsWith('etcd.improbable.io/'))";
    static final String RESERVED_MESSAGE = " must not have keys that start with etcd.improbable.io/, which are the"
            + " operator's: use another prefix";
    static final String WELL_FORMED = "self.all(k, k.matches('" + PodMetadata.KEY + "'))";
    static final String MALFORMED_MESSAGE = " has a key that Kubernetes does not take: write NAME or PREFIX/NAME with"
            + " letters, digits, '-', '_' and '.', NAME at most 63 characters long";

    static final ServicesSpec DEFAULT = new ServicesSpec(null, null, null);

    /** Annotations of the Service that every cluster has. */
    public Map<String, String> clientAnnotations() {
        return client == null ? Map.of() : client.annotations();
    }

    /** Present while the Service is to exist. */
    public Optional<NodePortService> nodePortIfEnabled() {
        return Optional.ofNullable(nodePort).filter(service -> Boolean.TRUE.equals(service.enabled()));
    }

    /** Present while the Service is to exist. */
    public Optional<LoadBalancerService> loadBalancerIfEnabled() {
        return Optional.ofNullable(loadBalancer).filter(service -> Boolean.TRUE.equals(service.enabled()));
    }

    /** The Service inside the Kubernetes cluster. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClientService(
            @JsonPropertyDescription(ServicesSpec.ANNOTATIONS)
            @Size(max = 128)
            @ValidationRule(
                    value = ServicesSpec.NOT_RESERVED,
                    message = "services.client.annotations" + ServicesSpec.RESERVED_MESSAGE)
            @ValidationRule(
                    value = ServicesSpec.WELL_FORMED,
                    message = "services.client.annotations" + ServicesSpec.MALFORMED_MESSAGE)
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

            @JsonPropertyDescription(
                    "The port on the nodes; Kubernetes chooses one when absent, and says by its own range"
                            + " (usually 30000 to 32767) which can be had.")
            @ValidationRule(
                    value = "self >= 1 && self <= 65535",
                    message = "services.nodePort.port must be from 1 to 65535: use one of those that Kubernetes gives"
                            + " to nodes, usually 30000 to 32767, or leave it out")
            @Nullable
            Integer port,

            @JsonPropertyDescription(ServicesSpec.ANNOTATIONS)
            @Size(max = 128)
            @ValidationRule(
                    value = ServicesSpec.NOT_RESERVED,
                    message = "services.nodePort.annotations" + ServicesSpec.RESERVED_MESSAGE)
            @ValidationRule(
                    value = ServicesSpec.WELL_FORMED,
                    message = "services.nodePort.annotations" + ServicesSpec.MALFORMED_MESSAGE)
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

            @JsonPropertyDescription(ServicesSpec.ANNOTATIONS)
            @Size(max = 128)
            @ValidationRule(
                    value = ServicesSpec.NOT_RESERVED,
                    message = "services.loadBalancer.annotations" + ServicesSpec.RESERVED_MESSAGE)
            @ValidationRule(
                    value = ServicesSpec.WELL_FORMED,
                    message = "services.loadBalancer.annotations" + ServicesSpec.MALFORMED_MESSAGE)
            Map<String, String> annotations) {
        public LoadBalancerService(@Nullable Boolean enabled, @Nullable Map<String, String> annotations) {
            this.enabled = enabled;
            this.annotations = Immutable.map(annotations);
        }
    }
}
