package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
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
            @JsonPropertyDescription("When it opens, as a cron expression of five fields.") @Required
            String schedule,

            @JsonPropertyDescription("How long it stays open, such as 2h.") @Required
            String duration,

            @JsonPropertyDescription("Time zone of the schedule. Default: UTC.") @Nullable
            String timeZone) {}

    /** When to give unused space back to the disk. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Defragmentation(
            @JsonPropertyDescription("When to look, as a cron expression of five fields.") @Nullable
            String schedule,

            @JsonPropertyDescription(
                    "Unused share of the database from which on it is defragmented. Default: 0.5 above 100 MiB.")
            @Nullable
            String wastedShare) {}

    /** When to compare the members' data. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record HashCheck(
            @JsonPropertyDescription("Time between two comparisons. Default: 1h.") @Nullable
            String interval) {}
}
