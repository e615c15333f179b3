package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the schedule has done. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdBackupScheduleStatus(
        @JsonPropertyDescription("When a backup was last due.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant lastScheduleTime,

        @JsonPropertyDescription("When a backup last completed.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant lastSuccessTime,

        @JsonPropertyDescription("When a backup is due next.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant nextScheduleTime,

        @JsonPropertyDescription("Names of the EtcdBackups under way.")
        List<String> active,

        @JsonPropertyDescription("How many backups are kept.") @Nullable
        Integer kept,

        @JsonPropertyDescription(
                "The last value of the annotation etcd.improbable.io/backup-now that a backup was" + " taken for.")
        @Nullable
        String lastBackupNow,

        @JsonPropertyDescription("The schedule that is followed, and since when: no earlier run is made up for.")
        @Nullable
        InForce inForce,

        @JsonPropertyDescription("What came of trying backups.") @Nullable
        DrillStatus drill,

        @JsonPropertyDescription(
                "Ready: the next backup will be taken when it is due. Drilled: the last backup that was"
                        + " tried could be restored, and held what it was taken with.")
        List<Condition> conditions) {
    /** A schedule that nobody has looked at yet. */
    public static final EtcdBackupScheduleStatus EMPTY =
            new EtcdBackupScheduleStatus(null, null, null, null, null, null, null, null, null);

    /** What is followed, and since when. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record InForce(
            @JsonPropertyDescription("Crontab and time zone.")
            String schedule,

            @JsonPropertyDescription("Since when.")
            @SchemaFrom(type = String.class)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            Instant since) {}

    public EtcdBackupScheduleStatus(
            @Nullable Instant lastScheduleTime,
            @Nullable Instant lastSuccessTime,
            @Nullable Instant nextScheduleTime,
            @Nullable List<String> active,
            @Nullable Integer kept,
            @Nullable String lastBackupNow,
            @Nullable InForce inForce,
            @Nullable DrillStatus drill,
            @Nullable List<Condition> conditions) {
        this.lastScheduleTime = lastScheduleTime;
        this.lastSuccessTime = lastSuccessTime;
        this.nextScheduleTime = nextScheduleTime;
        this.active = Immutable.list(active);
        this.kept = kept;
        this.lastBackupNow = lastBackupNow;
        this.inForce = inForce;
        this.drill = drill;
        this.conditions = Immutable.list(conditions);
    }
}
