package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** One member as etcd's own member list shows it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MemberStatus(
        @JsonPropertyDescription("The member's id, in hexadecimal as etcdctl prints it.") @Required
        String id,

        @JsonPropertyDescription("The member's name, which is that of its EtcdPeer; absent until it has started.")
        @Nullable
        String name,

        @JsonPropertyDescription("Whether it leads, votes, or is still learning.") @Nullable
        MemberRole role,

        @JsonPropertyDescription("Whether it answers and is well.")
        boolean healthy,

        @JsonPropertyDescription("The etcd version it runs.") @Nullable
        String version,

        @JsonPropertyDescription("Size of its database on disk, in bytes.") @Nullable
        Long dbSizeBytes,

        @JsonPropertyDescription(
                "The PersistentVolumeClaim that its peer URL names; absent for a member that is not of this cluster's EtcdPeers.")
        @Nullable
        String claim) {}
