package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
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
}
