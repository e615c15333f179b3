package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Cron;
import etcdoperator.api.rules.GoDuration;
import etcdoperator.domain.TimeSpan;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When backups are tried, and with what. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DrillSpec(
        @JsonPropertyDescription(
                "When the newest backup is restored into a throw-away etcd and read back, as a cron expression of five"
                        + " fields, in the time zone of the schedule.")
        @Required
        @Size(max = Cron.MAX_LENGTH)
        @ValidationRule(value = Cron.RULE, message = "spec.drill.schedule" + Cron.MESSAGE)
        String schedule,

        @JsonPropertyDescription(
                "How much a drill may take of its node's disk, such as 10Gi: it takes twice the size of a"
                        + " snapshot, and 200Mi. Default: what there is.")
        @Size(max = 16)
        @ValidationRule(
                value = "self.matches('^[1-9][0-9]*(k|M|G|T|Ki|Mi|Gi|Ti)?$')",
                message =
                        "spec.drill.storage must be a size in bytes: write one such as 10Gi, or remove it for what the"
                                + " node has")
        @Nullable
        String storage,

        @JsonPropertyDescription(
                "Resource requests and limits of the throw-away etcd. Default: those of a member of the"
                        + " cluster, if it is there.")
        @Nullable
        ResourceRequirements resources,

        @JsonPropertyDescription("How long a drill may take, with all attempts, such as 2h. At least 10s. Default: 1h.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('" + GoDuration.PATTERN + "') && duration(self) >= duration('10s')",
                message = "spec.drill.activeDeadline must be a duration of at least 10s: write hours, minutes and"
                        + " seconds, such as 1h or 1h30m")
        @Nullable
        String activeDeadline) {
    public Optional<Duration> deadline() {
        return Optional.ofNullable(activeDeadline).map(TimeSpan::parse);
    }
}
