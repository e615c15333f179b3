package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When backups are taken, and how long they are kept. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdBackupScheduleSpec(
        @JsonPropertyDescription("When backups are taken, as a cron expression of five fields.") @Required
        String schedule,

        @JsonPropertyDescription("Time zone of the schedule. Default: UTC.") @Nullable
        String timeZone,

        @JsonPropertyDescription("Whether to take none for now. Default: false.") @Nullable
        Boolean suspend,

        @JsonPropertyDescription("What to do when the former backup still runs. Default: Forbid.") @Nullable
        ConcurrencyPolicy concurrencyPolicy,

        @JsonPropertyDescription("How late a backup may start, such as 1h.") @Nullable
        String startingDeadline,

        @JsonPropertyDescription("The backup to take.") @Required
        EtcdBackupSpec backupTemplate,

        @JsonPropertyDescription("Which backups are kept. Its fields come with the release that supports schedules.")
        @PreserveUnknownFields
        Map<String, Object> retention,

        @JsonPropertyDescription("Trial restores. Its fields come with the release that supports schedules.")
        @PreserveUnknownFields
        Map<String, Object> drill) {
    public EtcdBackupScheduleSpec(
            String schedule,
            @Nullable String timeZone,
            @Nullable Boolean suspend,
            @Nullable ConcurrencyPolicy concurrencyPolicy,
            @Nullable String startingDeadline,
            EtcdBackupSpec backupTemplate,
            @Nullable Map<String, Object> retention,
            @Nullable Map<String, Object> drill) {
        this.schedule = schedule;
        this.timeZone = timeZone;
        this.suspend = suspend;
        this.concurrencyPolicy = concurrencyPolicy;
        this.startingDeadline = startingDeadline;
        this.backupTemplate = backupTemplate;
        this.retention = Immutable.map(retention);
        this.drill = Immutable.map(drill);
    }

    /** What to do when the former backup still runs. */
    public enum ConcurrencyPolicy {
        @JsonProperty("Allow")
        ALLOW,
        @JsonProperty("Forbid")
        FORBID,
        @JsonProperty("Replace")
        REPLACE
    }
}
