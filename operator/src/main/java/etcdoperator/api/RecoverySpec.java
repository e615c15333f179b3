package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.domain.TimeSpan;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a member or a quorum counts as lost, and what then happens. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RecoverySpec(
        @JsonPropertyDescription("How long a member may be away with its node, or keep crashing, before it is replaced"
                + " on a fresh volume. At least 10s. Default: 5m.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('^([0-9]{1,6}(h|m|s))+$') && duration(self) >= duration('10s')",
                message = "spec.recovery.memberTimeout must be a duration of at least 10s: write hours, minutes and"
                        + " seconds, such as 5m or 1h30m")
        @Nullable
        String memberTimeout,

        @JsonPropertyDescription("What to do when most voters are lost for good: their claims or volumes are gone, or"
                + " their nodes were deleted or declared out of service. Manual waits for a person, who chooses with an"
                + " annotation; Automatic takes the surviving disk whose log goes furthest, else the newest completed"
                + " backup. Default: Manual.")
        @Nullable
        QuorumLossPolicy quorumLoss,

        @JsonPropertyDescription(
                "How long such a loss must last before an automatic recovery begins. At least 10s." + " Default: 5m.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('^([0-9]{1,6}(h|m|s))+$') && duration(self) >= duration('10s')",
                message = "spec.recovery.quorumLossGrace must be a duration of at least 10s: write hours, minutes and"
                        + " seconds, such as 5m or 1h30m")
        @Nullable
        String quorumLossGrace) {

    static final RecoverySpec DEFAULT = new RecoverySpec(null, null, null);
    private static final Duration MEMBER_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration QUORUM_LOSS_GRACE = Duration.ofMinutes(5);

    public static RecoverySpec ofMemberTimeout(String memberTimeout) {
        return new RecoverySpec(memberTimeout, null, null);
    }

    public Duration memberTimeoutOrDefault() {
        return memberTimeout == null ? MEMBER_TIMEOUT : TimeSpan.parse(memberTimeout);
    }

    public boolean recoversByItself() {
        return quorumLoss == QuorumLossPolicy.AUTOMATIC;
    }

    public Duration quorumLossGraceOrDefault() {
        return quorumLossGrace == null ? QUORUM_LOSS_GRACE : TimeSpan.parse(quorumLossGrace);
    }

    /** What to do when most voters are lost for good. */
    public enum QuorumLossPolicy {
        @JsonProperty("Manual")
        MANUAL,
        @JsonProperty("Automatic")
        AUTOMATIC
    }
}
