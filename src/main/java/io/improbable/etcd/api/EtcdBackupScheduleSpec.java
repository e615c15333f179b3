package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When backups are taken, and how long they are kept. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = "!has(self.drill)", message = "spec.drill" + EtcdClusterSpec.LATER)
public record EtcdBackupScheduleSpec(
        @JsonPropertyDescription("When backups are taken, as a cron expression of five fields.")
        @Required
        @Size(max = Cron.MAX_LENGTH)
        @ValidationRule(value = Cron.RULE, message = "spec.schedule" + Cron.MESSAGE)
        String schedule,

        @JsonPropertyDescription("Time zone of the schedule, such as Europe/Berlin. Default: UTC.")
        @Size(max = 64)
        @ValidationRule(
                value = "self.matches('^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$')",
                message = "spec.timeZone must be the name of a time zone: write one such as Europe/Berlin, or remove it"
                        + " for UTC")
        @Nullable
        String timeZone,

        @JsonPropertyDescription("Whether to take none for now. Default: false.") @Nullable
        Boolean suspend,

        @JsonPropertyDescription(
                "What to do when the former backup still runs: start beside it, wait for it, or give it up."
                        + " Default: Forbid.")
        @Nullable
        ConcurrencyPolicy concurrencyPolicy,

        @JsonPropertyDescription("How late a backup may start, such as 1h. At least 10s. Default: as late as it takes.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('" + MaintenanceSpec.TIME + "') && duration(self) >= duration('10s')",
                message = "spec.startingDeadline must be a duration of at least 10s: write hours, minutes and seconds,"
                        + " such as 1h")
        @Nullable
        String startingDeadline,

        @JsonPropertyDescription("The backup to take.")
        @Required
        @ValidationRule(value = StoreRules.DISTINCT, message = StoreRules.DISTINCT_MESSAGE)
        EtcdBackupSpec backupTemplate,

        @JsonPropertyDescription(
                "Which backups are kept. Default: all. The newest good one always is, and so is one with"
                        + " the annotation etcd.improbable.io/pinned: \"true\".")
        @Nullable
        RetentionSpec retention,

        @JsonPropertyDescription("Trial restores. Its fields come with the release that supports them.")
        @PreserveUnknownFields
        Map<String, Object> drill) {
    public EtcdBackupScheduleSpec(
            String schedule,
            @Nullable String timeZone,
            @Nullable Boolean suspend,
            @Nullable ConcurrencyPolicy concurrencyPolicy,
            @Nullable String startingDeadline,
            EtcdBackupSpec backupTemplate,
            @Nullable RetentionSpec retention,
            @Nullable Map<String, Object> drill) {
        this.schedule = schedule;
        this.timeZone = timeZone;
        this.suspend = suspend;
        this.concurrencyPolicy = concurrencyPolicy;
        this.startingDeadline = startingDeadline;
        this.backupTemplate = backupTemplate;
        this.retention = retention;
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
