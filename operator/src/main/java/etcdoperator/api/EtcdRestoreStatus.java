package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.rules.Immutable;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a restore has come. What was decided once is written here, so that it is not decided otherwise later. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdRestoreStatus(
        @JsonPropertyDescription("How far the restore has come.") @Nullable
        RestorePhase phase,

        @JsonPropertyDescription("What is being done; it stays where the restore ended.") @Nullable
        RestoreStage stage,

        @JsonPropertyDescription("The backup that was chosen.") @Nullable
        ChosenBackup chosen,

        @JsonPropertyDescription("Name of the cluster made, or restored in place.") @Nullable
        String clusterName,

        @JsonPropertyDescription("The claim that the backup is restored to.") @Nullable
        String claimName,

        @JsonPropertyDescription("With source.claim: the claim whose data was taken.") @Nullable
        String sourceClaim,

        @JsonPropertyDescription(
                "With inPlace: the claims the cluster had before. Nobody uses or deletes them; delete them yourself once"
                        + " the restored data is what you wanted.")
        List<String> setAsideClaims,

        @JsonPropertyDescription("The version of etcd it is restored with.") @Nullable
        String version,

        @JsonPropertyDescription("The revision of etcd that was restored.") @Nullable
        Long revision,

        @JsonPropertyDescription(
                "When the backup was taken; with source.claim, when that member last wrote to its log.")
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

        @JsonPropertyDescription(
                "Complete: the data is restored and the cluster is there, with a reason and a message.")
        List<Condition> conditions) {

    /** A restore that nothing was done for yet. */
    public static final EtcdRestoreStatus EMPTY =
            new EtcdRestoreStatus(null, null, null, null, null, null, null, null, null, null, null, null, null);

    public EtcdRestoreStatus(
            @Nullable RestorePhase phase,
            @Nullable RestoreStage stage,
            @Nullable ChosenBackup chosen,
            @Nullable String clusterName,
            @Nullable String claimName,
            @Nullable String sourceClaim,
            @Nullable List<String> setAsideClaims,
            @Nullable String version,
            @Nullable Long revision,
            @Nullable Instant backupTime,
            @Nullable Instant startTime,
            @Nullable Instant completionTime,
            @Nullable List<Condition> conditions) {
        this.phase = phase;
        this.stage = stage;
        this.chosen = chosen;
        this.clusterName = clusterName;
        this.claimName = claimName;
        this.sourceClaim = sourceClaim;
        this.setAsideClaims = Immutable.list(setAsideClaims);
        this.version = version;
        this.revision = revision;
        this.backupTime = backupTime;
        this.startTime = startTime;
        this.completionTime = completionTime;
        this.conditions = Immutable.list(conditions);
    }

    public boolean hasEnded() {
        return phase == RestorePhase.COMPLETED || phase == RestorePhase.FAILED;
    }

    /**
     * The backup that a restore has settled on, told so fully that it can be read after its EtcdBackup is gone.
     *
     * @param backup the EtcdBackup it is of, if one was asked for
     * @param location where it is, with the path spelled out; nowhere, where claims of survivors are the source
     * @param sha256 of the stored object, where it is known
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ChosenBackup(
            @JsonPropertyDescription("Name of the EtcdBackup, where one was asked for.") @Nullable
            String backup,

            @JsonPropertyDescription("Where it is stored; not with source.claim.") @Nullable
            BackupDestination location,

            @JsonPropertyDescription("The key it is read with; not encrypted when absent.")
            EtcdBackupSpec.@Nullable Encryption encryption,

            @JsonPropertyDescription("Service account of the pods that read it.") @Nullable
            String serviceAccountName,

            @JsonPropertyDescription("SHA-256 of the stored object, where it is known.") @Nullable
            String sha256,

            @JsonPropertyDescription("The etcd version recorded with it.") @Nullable
            String etcdVersion,

            @JsonPropertyDescription("With source.claim: the claims of members that survive.")
            List<String> claims) {

        public ChosenBackup(
                @Nullable String backup,
                @Nullable BackupDestination location,
                EtcdBackupSpec.@Nullable Encryption encryption,
                @Nullable String serviceAccountName,
                @Nullable String sha256,
                @Nullable String etcdVersion,
                @Nullable List<String> claims) {
            this.backup = backup;
            this.location = location;
            this.encryption = encryption;
            this.serviceAccountName = serviceAccountName;
            this.sha256 = sha256;
            this.etcdVersion = etcdVersion;
            this.claims = Immutable.list(claims);
        }
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

    /**
     * What is being done, in this order; the three before the last only in place. What is read from the claims of survivors
     * is read once the cluster lies down.
     */
    public enum RestoreStage {
        /** A Job looks at the backup. */
        @JsonProperty("Inspecting")
        INSPECTING,
        /** A Job puts the backup on a claim. */
        @JsonProperty("Filling")
        FILLING,
        /** The cluster stops its members. */
        @JsonProperty("LyingDown")
        LYING_DOWN,
        /** Of a cluster that has lost most voters: whether they are lost still is judged once more. */
        @JsonProperty("Confirming")
        CONFIRMING,
        /** Its claims are set aside, and the one that was filled takes their place. */
        @JsonProperty("Swapping")
        SWAPPING,
        /** The cluster comes up on it. */
        @JsonProperty("Starting")
        STARTING
    }
}
