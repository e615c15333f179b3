package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.backup.EtcdBackupScheduleStatus.InForce;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What came of trying backups. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DrillStatus(
        @JsonPropertyDescription("What the last drill came to, or Running.") @Nullable
        DrillResult result,

        @JsonPropertyDescription("Name of the EtcdBackup that it tried.") @Nullable
        String backup,

        @JsonPropertyDescription("Name of its Job, which stays until the next drill if this one has failed.") @Nullable
        String job,

        @JsonPropertyDescription("The revision of etcd that was read back.") @Nullable
        Long revision,

        @JsonPropertyDescription("How many keys were read back.") @Nullable
        Long keys,

        @JsonPropertyDescription("What was found, in a sentence.") @Nullable
        String message,

        @JsonPropertyDescription("When it began.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant startTime,

        @JsonPropertyDescription("When the last drill ended.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant lastTime,

        @JsonPropertyDescription("When a drill last passed.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant lastSuccessTime,

        @JsonPropertyDescription("When a drill is due next.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant nextTime,

        @JsonPropertyDescription("When a drill was last due.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant lastScheduleTime,

        @JsonPropertyDescription(
                "The last value of the annotation etcd.improbable.io/drill-now that a drill was started for.")
        @Nullable
        String lastDrillNow,

        @JsonPropertyDescription("The schedule that is followed, and since when: no earlier drill is made up for.")
        @Nullable
        InForce inForce) {
    /** Nothing was tried yet. */
    public static final DrillStatus EMPTY =
            new DrillStatus(null, null, null, null, null, null, null, null, null, null, null, null, null);

    /** What a drill came to. */
    public enum DrillResult {
        @JsonProperty("Running")
        RUNNING,
        @JsonProperty("Passed")
        PASSED,
        @JsonProperty("Failed")
        FAILED
    }
}
