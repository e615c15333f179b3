package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of etcd itself; what is absent is etcd's own default. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdOptions(
        @JsonPropertyDescription("Size limit of the database, in bytes.") @Nullable
        Long quotaBackendBytes,

        @JsonPropertyDescription("When etcd forgets old revisions by itself.") @Nullable
        AutoCompaction autoCompaction,

        @JsonPropertyDescription("Committed transactions between two raft snapshots.") @Nullable
        Long snapshotCount,

        @JsonPropertyDescription("Time between two heartbeats of the leader, such as 100ms.") @Nullable
        String heartbeatInterval,

        @JsonPropertyDescription("Time without a heartbeat until an election, such as 1s.") @Nullable
        String electionTimeout,

        @JsonPropertyDescription(
                "Other flags of etcd, without leading dashes. Flags that the operator sets are refused.")
        Map<String, String> extraArgs) {
    public EtcdOptions(
            @Nullable Long quotaBackendBytes,
            @Nullable AutoCompaction autoCompaction,
            @Nullable Long snapshotCount,
            @Nullable String heartbeatInterval,
            @Nullable String electionTimeout,
            @Nullable Map<String, String> extraArgs) {
        this.quotaBackendBytes = quotaBackendBytes;
        this.autoCompaction = autoCompaction;
        this.snapshotCount = snapshotCount;
        this.heartbeatInterval = heartbeatInterval;
        this.electionTimeout = electionTimeout;
        this.extraArgs = Immutable.map(extraArgs);
    }

    /** When etcd forgets old revisions by itself. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AutoCompaction(
            @JsonPropertyDescription("Whether retention is a time or a number of revisions.") @Nullable
            CompactionMode mode,

            @JsonPropertyDescription("How much history to keep: a duration such as 1h, or a number of revisions.")
            @Nullable
            String retention) {}

    /** What retention counts. */
    public enum CompactionMode {
        @JsonProperty("Periodic")
        PERIODIC,
        @JsonProperty("Revision")
        REVISION
    }
}
