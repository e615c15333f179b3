package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a restore has come. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdRestoreStatus(
        @JsonPropertyDescription("How far the restore has come.") @Nullable
        RestorePhase phase,

        @JsonPropertyDescription("Name of the cluster made.") @Nullable
        String clusterName,

        @JsonPropertyDescription("The revision of etcd that was restored.") @Nullable
        Long revision,

        @JsonPropertyDescription("When the backup was taken.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant backupTime,

        @JsonPropertyDescription("When it began.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant startTime,

        @JsonPropertyDescription("When it ended.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant completionTime,

        @JsonPropertyDescription("Details in the form Kubernetes uses, each with a reason and a message.")
        List<Condition> conditions) {
    public EtcdRestoreStatus(
            @Nullable RestorePhase phase,
            @Nullable String clusterName,
            @Nullable Long revision,
            @Nullable Instant backupTime,
            @Nullable Instant startTime,
            @Nullable Instant completionTime,
            @Nullable List<Condition> conditions) {
        this.phase = phase;
        this.clusterName = clusterName;
        this.revision = revision;
        this.backupTime = backupTime;
        this.startTime = startTime;
        this.completionTime = completionTime;
        this.conditions = Immutable.list(conditions);
    }

    /** How far a restore has come. */
    public enum RestorePhase {
        @JsonProperty("Pending")
        PENDING,
        @JsonProperty("Restoring")
        RESTORING,
        @JsonProperty("Completed")
        COMPLETED,
        @JsonProperty("Failed")
        FAILED
    }
}
