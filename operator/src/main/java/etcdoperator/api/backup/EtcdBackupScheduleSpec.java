package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Cron;
import etcdoperator.api.rules.GoDuration;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** When backups are taken, and how long they are kept. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
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
                value = "self.matches('" + GoDuration.PATTERN + "') && duration(self) >= duration('10s')",
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

        @JsonPropertyDescription(
                "Tries the newest backup by the clock. Default: only when the annotation etcd.improbable.io/drill-now"
                        + " asks for it.")
        @Nullable
        DrillSpec drill) {
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
