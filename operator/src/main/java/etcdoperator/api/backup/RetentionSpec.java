package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.GoDuration;
import etcdoperator.api.rules.Immutable;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which backups of a schedule are kept. Each rule may keep some; without any, all are. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RetentionSpec(
        @JsonPropertyDescription("Keeps the newest so many.")
        @ValidationRule(value = RetentionSpec.COUNT, message = "spec.retention.keepLast" + RetentionSpec.COUNT_MESSAGE)
        @Nullable
        Integer keepLast,

        @JsonPropertyDescription("Keeps the newest of each hour, for so many hours that have one.")
        @ValidationRule(value = RetentionSpec.COUNT, message = "spec.retention.hourly" + RetentionSpec.COUNT_MESSAGE)
        @Nullable
        Integer hourly,

        @JsonPropertyDescription("Keeps the newest of each day, for so many days that have one.")
        @ValidationRule(value = RetentionSpec.COUNT, message = "spec.retention.daily" + RetentionSpec.COUNT_MESSAGE)
        @Nullable
        Integer daily,

        @JsonPropertyDescription("Keeps the newest of each week from Monday on, for so many weeks that have one.")
        @ValidationRule(value = RetentionSpec.COUNT, message = "spec.retention.weekly" + RetentionSpec.COUNT_MESSAGE)
        @Nullable
        Integer weekly,

        @JsonPropertyDescription("Keeps the newest of each month, for so many months that have one.")
        @ValidationRule(value = RetentionSpec.COUNT, message = "spec.retention.monthly" + RetentionSpec.COUNT_MESSAGE)
        @Nullable
        Integer monthly,

        @JsonPropertyDescription("Removes what is older, such as 720h, whatever else would keep it. At least 1m.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('" + GoDuration.PATTERN + "') && duration(self) >= duration('1m')",
                message = "spec.retention.maxAge must be a duration of at least 1m: write hours, minutes and seconds,"
                        + " such as 720h for 30 days")
        @Nullable
        String maxAge,

        @JsonPropertyDescription(
                "Keeps the first of each of these days of the previous month and of this one, such as" + " 1 and 15.")
        @Size(max = 31)
        @ValidationRule(
                value = "self.all(day, day >= 1 && day <= 31)",
                message = "spec.retention.daysOfPreviousMonth must be days of a month: write numbers from 1 to 31")
        List<Integer> daysOfPreviousMonth) {
    static final String COUNT = "self >= 0 && self <= 10000";

    /** Follows the name of the field. */
    static final String COUNT_MESSAGE = " must be a number from 0 to 10000: remove it if it is to keep nothing";

    public RetentionSpec(
            @Nullable Integer keepLast,
            @Nullable Integer hourly,
            @Nullable Integer daily,
            @Nullable Integer weekly,
            @Nullable Integer monthly,
            @Nullable String maxAge,
            @Nullable List<Integer> daysOfPreviousMonth) {
        this.keepLast = keepLast;
        this.hourly = hourly;
        this.daily = daily;
        this.weekly = weekly;
        this.monthly = monthly;
        this.maxAge = maxAge;
        this.daysOfPreviousMonth = Immutable.list(daysOfPreviousMonth);
    }
}
