package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Cron;
import etcdoperator.api.rules.GoDuration;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Upkeep and when it may run. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MaintenanceSpec(
        @JsonPropertyDescription("When disruptive upkeep may run. Default: always.") @Nullable
        Window window,

        @JsonPropertyDescription("When to give unused space back to the disk.") @Nullable
        Defragmentation defragmentation,

        @JsonPropertyDescription("When to compare the members' data.") @Nullable
        HashCheck hashCheck) {

    /** A time that comes again and again. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Window(
            @JsonPropertyDescription("When it opens, as a cron expression of five fields.")
            @Required
            @Size(max = Cron.MAX_LENGTH)
            @ValidationRule(value = Cron.RULE, message = "spec.maintenance.window.schedule" + Cron.MESSAGE)
            String schedule,

            @JsonPropertyDescription("How long it stays open, such as 2h. At least 1m.")
            @Required
            @Size(max = 32)
            @ValidationRule(
                    value = "self.matches('" + GoDuration.PATTERN + "') && duration(self) >= duration('1m')",
                    message = "spec.maintenance.window.duration must be a duration of at least 1m: write hours, minutes"
                            + " and seconds, such as 2h or 1h30m")
            String duration,

            @JsonPropertyDescription("Time zone of the schedule, such as Europe/Berlin. Default: UTC.")
            @Size(max = 64)
            @ValidationRule(
                    value = "self.matches('^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$')",
                    message = "spec.maintenance.window.timeZone must be the name of a time zone: write one such as"
                            + " Europe/Berlin, or remove it for UTC")
            @Nullable
            String timeZone) {}

    /** When to give unused space back to the disk. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Defragmentation(
            @JsonPropertyDescription("When every member is defragmented, as a cron expression of five fields.")
            @Size(max = Cron.MAX_LENGTH)
            @ValidationRule(value = Cron.RULE, message = "spec.maintenance.defragmentation.schedule" + Cron.MESSAGE)
            @Nullable
            String schedule,

            @JsonPropertyDescription(
                    "Unused share of the database from which on it is defragmented. Default: 0.5 above 100 MiB.")
            @Size(max = 16)
            @ValidationRule(
                    value = "self.matches('^(0[.][0-9]{1,9}|1([.]0{1,9})?)$') && double(self) > 0.0",
                    message = "spec.maintenance.defragmentation.wastedShare must be a number above 0 and at most 1:"
                            + " write one such as 0.5, in quotes")
            @Nullable
            String wastedShare) {}

    /** When to compare the members' data. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record HashCheck(
            @JsonPropertyDescription("Time between two comparisons, at least 1m; 0 switches them off. Default: 1h.")
            @Size(max = 32)
            @ValidationRule(
                    value = "self == '0' || (self.matches('" + GoDuration.PATTERN
                            + "') && duration(self) >= duration('1m'))",
                    message = "spec.maintenance.hashCheck.interval must be a duration of at least 1m, or 0 for none:"
                            + " write hours, minutes and seconds, such as 1h")
            @Nullable
            String interval) {}
}
