package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A NetworkPolicy around the members. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record NetworkPolicySpec(
        @JsonPropertyDescription(
                "Whether to make a NetworkPolicy that lets only members, clients and the operator in. Default: false.")
        @Nullable
        Boolean enabled) {}
