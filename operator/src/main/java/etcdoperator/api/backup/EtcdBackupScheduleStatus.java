package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import etcdoperator.api.rules.Immutable;
import etcdoperator.api.rules.LenientInstant;
import etcdoperator.api.rules.ManagedStatus;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the schedule has done. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdBackupScheduleStatus(
        @JsonPropertyDescription("When a backup was last due.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonDeserialize(using = LenientInstant.class)
        @Nullable
        Instant lastScheduleTime,

        @JsonPropertyDescription("When a backup last completed.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonDeserialize(using = LenientInstant.class)
        @Nullable
        Instant lastSuccessTime,

        @JsonPropertyDescription("When a backup is due next.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @JsonDeserialize(using = LenientInstant.class)
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

        @JsonPropertyDescription("The installation of the operator that manages the schedule, as NAMESPACE/RELEASE."
                + " Absent while the EtcdCluster that it belongs to is there: the same installation manages both."
                + " Another installation takes over if the annotation etcd.improbable.io/installation names it.")
        @Nullable
        String installation,

        @JsonPropertyDescription(
                "When backups last expired. In the hour after it, only one more expires for each backup that completes.")
        @SchemaFrom(type = String.class)
        @JsonFormat(shape = JsonFormat.Shape.STRING)
        @Nullable
        Instant lastExpiryTime,

        @JsonPropertyDescription(
                "Ready: the next backup will be taken when it is due. RetentionApplied: backups that no rule keeps are"
                        + " removed. Drilled: the last backup that was tried could be restored, and held what it was"
                        + " taken with.")
        List<Condition> conditions)
        implements ManagedStatus<EtcdBackupScheduleStatus> {
    /** A schedule that nobody has looked at yet. */
    public static final EtcdBackupScheduleStatus EMPTY =
            new EtcdBackupScheduleStatus(null, null, null, null, null, null, null, null, null, null, null);

    /** What is followed, and since when. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record InForce(
            @JsonPropertyDescription("Crontab and time zone.")
            String schedule,

            @JsonPropertyDescription("Since when.")
            @SchemaFrom(type = String.class)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            @JsonDeserialize(using = LenientInstant.class)
            Instant since) {
        public InForce {
            schedule = Objects.requireNonNullElse(schedule, "");
            since = Objects.requireNonNullElse(since, Instant.EPOCH);
        }
    }

    public EtcdBackupScheduleStatus(
            @Nullable Instant lastScheduleTime,
            @Nullable Instant lastSuccessTime,
            @Nullable Instant nextScheduleTime,
            @Nullable List<String> active,
            @Nullable Integer kept,
            @Nullable String lastBackupNow,
            @Nullable InForce inForce,
            @Nullable DrillStatus drill,
            @Nullable String installation,
            @Nullable Instant lastExpiryTime,
            @Nullable List<Condition> conditions) {
        this.lastScheduleTime = lastScheduleTime;
        this.lastSuccessTime = lastSuccessTime;
        this.nextScheduleTime = nextScheduleTime;
        this.active = Immutable.list(active);
        this.kept = kept;
        this.lastBackupNow = lastBackupNow;
        this.inForce = inForce;
        this.drill = drill;
        this.installation = installation;
        this.lastExpiryTime = lastExpiryTime;
        this.conditions = Immutable.list(conditions);
    }

    @Override
    public EtcdBackupScheduleStatus withInstallation(String newInstallation) {
        return new EtcdBackupScheduleStatus(
                lastScheduleTime,
                lastSuccessTime,
                nextScheduleTime,
                active,
                kept,
                lastBackupNow,
                inForce,
                drill,
                newInstallation,
                lastExpiryTime,
                conditions);
    }

    public EtcdBackupScheduleStatus withConditions(List<Condition> newConditions) {
        return new EtcdBackupScheduleStatus(
                lastScheduleTime,
                lastSuccessTime,
                nextScheduleTime,
                active,
                kept,
                lastBackupNow,
                inForce,
                drill,
                installation,
                lastExpiryTime,
                newConditions);
    }
}
