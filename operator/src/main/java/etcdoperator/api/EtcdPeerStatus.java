package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the operator last saw of a peer. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdPeerStatus(
        @JsonPropertyDescription("The etcd version its member reports.") @Nullable
        String serverVersion,

        @JsonPropertyDescription(
                "The id of its member, in hexadecimal as etcdctl prints it; absent until it has" + " joined.")
        @Nullable
        String memberId,

        @JsonPropertyDescription("Pending: no container runs yet. Starting: etcd runs but has not been seen well yet."
                + " Running: the member answers and is well. Unhealthy: it was well and no longer is.")
        @Nullable
        PeerPhase phase,

        @JsonPropertyDescription("The node its pod runs on.") @Nullable
        String node,

        @JsonPropertyDescription("Details in the form Kubernetes uses, each with a reason and a message.")
        List<Condition> conditions) {
    public static final String HEALTHY = "Healthy";

    public EtcdPeerStatus(
            @Nullable String serverVersion,
            @Nullable String memberId,
            @Nullable PeerPhase phase,
            @Nullable String node,
            @Nullable List<Condition> conditions) {
        this.serverVersion = serverVersion;
        this.memberId = memberId;
        this.phase = phase;
        this.node = node;
        this.conditions = Immutable.list(conditions);
    }

    /** Since when the member was not seen well; status keeps it, so that an operator that starts anew knows. */
    public Optional<Instant> unwellSince() {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(HEALTHY) && "False".equals(condition.getStatus()))
                .map(condition -> Instant.parse(condition.getLastTransitionTime()))
                .findFirst();
    }
}
