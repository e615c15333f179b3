package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A new cluster from a backup. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdRestoreSpec(
        @JsonPropertyDescription("Where the backup is.") @Required
        RestoreSource source,

        @JsonPropertyDescription("The cluster to create from it.") @Required
        ClusterTemplate clusterTemplate,

        @JsonPropertyDescription("Whether to replace the data of an existing cluster of that name. Default: false.")
        @Nullable
        Boolean inPlace) {
    /** Where the backup is: one of these. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record RestoreSource(
            @JsonPropertyDescription("An object in a bucket.") @Nullable
            BucketLocation bucket,

            @JsonPropertyDescription("A file on a volume.") @Nullable
            VolumeLocation volume,

            @JsonPropertyDescription("Name of an EtcdBackup in the same namespace.") @Nullable
            String backup,

            @JsonPropertyDescription("Name of an EtcdBackupSchedule in the same namespace: its newest backup.")
            @Nullable
            String schedule,

            @JsonPropertyDescription("With schedule: its newest backup not after this time.")
            @SchemaFrom(type = String.class)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            @Nullable
            Instant at) {}

    /** The cluster to create. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClusterTemplate(
            @JsonPropertyDescription("Name of the EtcdCluster to create.") @Required
            String clusterName,

            @JsonPropertyDescription(
                    "Its spec, as in an EtcdCluster; version may be left out, and is then the one recorded with the backup.")
            @Required
            EtcdClusterSpec spec) {}
}
