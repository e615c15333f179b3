package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** When a member or a quorum counts as lost, and what then happens. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RecoverySpec(
        @JsonPropertyDescription("How long a member may be away before it is replaced. Default: 5m.") @Nullable
        String memberTimeout,

        @JsonPropertyDescription("What to do when a quorum is lost for good. Default: Manual.") @Nullable
        QuorumLossPolicy quorumLoss,

        @JsonPropertyDescription("How long to wait before an automatic recovery. Default: 5m.") @Nullable
        String quorumLossGrace) {
    /** What to do when a quorum is lost for good. */
    public enum QuorumLossPolicy {
        @JsonProperty("Manual")
        MANUAL,
        @JsonProperty("Automatic")
        AUTOMATIC
    }
}
