package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** The one image a peer runs, resolved from its cluster's repository and version. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PeerImage(
        @JsonPropertyDescription("The full image reference, such as quay.io/coreos/etcd:v3.6.16.") @Required
        String reference,

        @JsonPropertyDescription("When the node pulls the image.") @Required
        PullPolicy pullPolicy) {}
