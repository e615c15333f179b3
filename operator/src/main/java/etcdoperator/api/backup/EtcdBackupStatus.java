package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a backup has come. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdBackupStatus(
        @JsonPropertyDescription("How far the backup has come.") @Nullable
        BackupPhase phase,

        @JsonPropertyDescription("Where the backup is stored.") @Nullable
        String objectURL,

        @JsonPropertyDescription("Path of the backup in its bucket or on its volume.") @Nullable
        String path,

        @JsonPropertyDescription("The revision of etcd that the backup holds.") @Nullable
        Long revision,

        @JsonPropertyDescription("Size of the snapshot, in bytes.") @Nullable
        Long sizeBytes,

        @JsonPropertyDescription("Bytes sent to the store.") @Nullable
        Long transferredBytes,

        @JsonPropertyDescription("SHA-256 of the stored object.") @Nullable
        String sha256,

        @JsonPropertyDescription("The etcd version the snapshot was taken from.") @Nullable
        String etcdVersion,

        @JsonPropertyDescription(
                "What etcd's HashKV says of the keys at that revision. Absent, as the next two, where no"
                        + " member could be asked.")
        @Nullable
        Long hashKV,

        @JsonPropertyDescription("How many keys there are at that revision.") @Nullable
        Long keys,

        @JsonPropertyDescription("Up to which revision etcd was compacted when hashKV was asked for.") @Nullable
        Long compactRevision,

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

        @JsonPropertyDescription(
                "Complete: the backup is stored and verified. Erased: what becomes of it when this object is"
                        + " deleted.")
        List<Condition> conditions) {
    /** A backup that nobody has looked at yet. */
    public static final EtcdBackupStatus EMPTY =
            new EtcdBackupStatus(null, null, null, null, null, null, null, null, null, null, null, null, null, null);

    public EtcdBackupStatus(
            @Nullable BackupPhase phase,
            @Nullable String objectURL,
            @Nullable String path,
            @Nullable Long revision,
            @Nullable Long sizeBytes,
            @Nullable Long transferredBytes,
            @Nullable String sha256,
            @Nullable String etcdVersion,
            @Nullable Long hashKV,
            @Nullable Long keys,
            @Nullable Long compactRevision,
            @Nullable Instant startTime,
            @Nullable Instant completionTime,
            @Nullable List<Condition> conditions) {
        this.phase = phase;
        this.objectURL = objectURL;
        this.path = path;
        this.revision = revision;
        this.sizeBytes = sizeBytes;
        this.transferredBytes = transferredBytes;
        this.sha256 = sha256;
        this.etcdVersion = etcdVersion;
        this.hashKV = hashKV;
        this.keys = keys;
        this.compactRevision = compactRevision;
        this.startTime = startTime;
        this.completionTime = completionTime;
        this.conditions = Immutable.list(conditions);
    }

    /** How far a backup has come. */
    public enum BackupPhase {
        @JsonProperty("Pending")
        PENDING,
        @JsonProperty("Running")
        RUNNING,
        @JsonProperty("Completed")
        COMPLETED,
        @JsonProperty("Failed")
        FAILED
    }
}
