package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
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

        @JsonPropertyDescription("Details in the form Kubernetes uses, each with a reason and a message.")
        List<Condition> conditions) {
    public EtcdBackupScheduleStatus(
            @Nullable Instant lastScheduleTime,
            @Nullable Instant lastSuccessTime,
            @Nullable Instant nextScheduleTime,
            @Nullable List<String> active,
            @Nullable Integer kept,
            @Nullable List<Condition> conditions) {
        this.lastScheduleTime = lastScheduleTime;
        this.lastSuccessTime = lastSuccessTime;
        this.nextScheduleTime = nextScheduleTime;
        this.active = Immutable.list(active);
        this.kept = kept;
        this.conditions = Immutable.list(conditions);
    }
}
