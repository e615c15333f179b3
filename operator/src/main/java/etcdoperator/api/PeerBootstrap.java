package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What etcd needs to know to start on an empty volume. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PeerBootstrap(
        @JsonProperty("static") @JsonPropertyDescription("Start from a list of members known beforehand.") @Required
        StaticBootstrap staticBootstrap,

        @JsonPropertyDescription("New: form a cluster with the others on the list. Existing: join, or start on the data"
                + " of the volume, and refuse an empty one that no member stands for.")
        @Required
        InitialClusterState initialClusterState,

        @JsonPropertyDescription("Token of this one bootstrap, which keeps the members of two bootstraps apart.")
        @Nullable
        String token) {

    public static PeerBootstrap of(
            List<InitialMember> initialCluster, InitialClusterState state, @Nullable String token) {
        return new PeerBootstrap(new StaticBootstrap(initialCluster), state, token);
    }

    /** A list of members known beforehand. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record StaticBootstrap(
            @JsonPropertyDescription("The members etcd starts with.") @Required
            List<InitialMember> initialCluster) {
        public StaticBootstrap(@Nullable List<InitialMember> initialCluster) {
            this.initialCluster = Immutable.list(initialCluster);
        }
    }

    /** One member of the list. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record InitialMember(
            @JsonPropertyDescription("Name of the member, which is that of its EtcdPeer.") @Required
            String name,

            @JsonPropertyDescription("Host name where the other members reach it.") @Required
            String host,

            @JsonPropertyDescription("How the other members reach it: http, which is the default, or https.") @Nullable
            String scheme) {}

    /** The value of etcd's --initial-cluster-state. */
    public enum InitialClusterState {
        @JsonProperty("New")
        NEW,
        @JsonProperty("Existing")
        EXISTING
    }
}
