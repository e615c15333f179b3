package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** Backups the operator takes of this cluster on its own account. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ClusterBackupSpec(
        @JsonPropertyDescription("Where they are stored.") @Required
        BackupDestination destination,

        @JsonPropertyDescription("Whether to take one before every change of version. Default: true.") @Nullable
        Boolean beforeUpgrade,

        @JsonPropertyDescription("What becomes of them when the cluster is deleted. Default: Keep.") @Nullable
        OnDelete onDelete) {}
