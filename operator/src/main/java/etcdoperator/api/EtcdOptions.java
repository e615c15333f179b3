package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import etcdoperator.domain.TimeSpan;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settings of etcd itself; what is absent is etcd's own default. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = EtcdOptionsRules.ELECTION_AFTER_FIVE_HEARTBEATS,
        message = "spec.etcd.electionTimeout must be at least five times spec.etcd.heartbeatInterval, which are 1s and"
                + " 100ms where absent: raise electionTimeout or lower heartbeatInterval")
public record EtcdOptions(
        @JsonPropertyDescription("Size limit of the database, in bytes, from 16 MiB to 100 GiB. Default: 2 GiB.")
        @ValidationRule(
                value = "self >= 16777216 && self <= 107374182400",
                message = "spec.etcd.quotaBackendBytes must be from 16777216 (16 MiB) to 107374182400 (100 GiB):"
                        + " choose a number of bytes in between, such as 8589934592 for 8 GiB")
        @Nullable
        Long quotaBackendBytes,

        @JsonPropertyDescription("When etcd forgets old revisions by itself. Default: never.") @Nullable
        AutoCompaction autoCompaction,

        @JsonPropertyDescription("Committed transactions between two raft snapshots. Default: 10000.")
        @ValidationRule(
                value = "self >= 1",
                message = "spec.etcd.snapshotCount must be at least 1: choose a larger number, or remove it")
        @Nullable
        Long snapshotCount,

        @JsonPropertyDescription("Time between two heartbeats of the leader, such as 100ms, which is the default.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('" + EtcdOptionsRules.SHORT_TIME + "') && duration(self) >= duration('1ms')",
                message = "spec.etcd.heartbeatInterval must be a duration of at least 1ms: write milliseconds or"
                        + " seconds, such as 100ms")
        @Nullable
        String heartbeatInterval,

        @JsonPropertyDescription(
                "Time without a heartbeat until an election, such as 1s, which is the default. At most 50s, and at"
                        + " least five times heartbeatInterval.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('" + EtcdOptionsRules.SHORT_TIME + "') && duration(self) <= duration('50s')",
                message = "spec.etcd.electionTimeout must be a duration of at most 50s: write milliseconds or seconds,"
                        + " such as 1s or 2500ms")
        @Nullable
        String electionTimeout,

        @JsonPropertyDescription("Other flags of etcd, without leading dashes. They are passed under the name that the"
                + " cluster's version has for them, whether they are written with or without experimental-, or as"
                + " feature-gates. Flags that are the operator's are refused, and so are those with a field here.")
        @Size(max = 64)
        @ValidationRule(
                value = "self.all(k, k.matches('^[a-z0-9][a-z0-9-]*$'))",
                message = "spec.etcd.extraArgs must have names of flags in lower case and without leading dashes: write"
                        + " max-txn-ops, not --max-txn-ops")
        @ValidationRule(
                value = "self.all(k, !k.matches('" + EtcdOptionsRules.IDENTITY + "'))",
                message =
                        "spec.etcd.extraArgs must not have name, data-dir, wal-dir, config-file, listen-* or advertise-*,"
                                + " which the operator sets itself: remove them")
        @ValidationRule(
                value = "self.all(k, !k.matches('" + EtcdOptionsRules.MEMBERSHIP + "'))",
                message = "spec.etcd.extraArgs must not have initial-advertise-*, initial-cluster*, discovery*, proxy*,"
                        + " force-new-cluster or strict-reconfig-check, because the operator decides who is a member:"
                        + " remove them")
        @ValidationRule(
                value = "self.all(k, !k.matches('" + EtcdOptionsRules.TRUST + "'))",
                message = "spec.etcd.extraArgs must not have flags for certificates and TLS, which the operator sets"
                        + " itself: remove them")
        @ValidationRule(
                value = "self.all(k, !(k in " + EtcdOptionsRules.FIELDS + "))",
                message = "spec.etcd.extraArgs must not have flags with a field of their own: use"
                        + " spec.etcd.quotaBackendBytes, autoCompaction, snapshotCount, heartbeatInterval and"
                        + " electionTimeout",
                messageExpression = EtcdOptionsRules.FIELDS_MESSAGE)
        @ValidationRule(
                value = "!('feature-gates' in self) || self['feature-gates'].matches('" + EtcdOptionsRules.GATES + "')",
                message = "spec.etcd.extraArgs.feature-gates must be a list of feature gates: write NAME=true or"
                        + " NAME=false, with commas and no spaces in between")
        Map<String, String> extraArgs) {

    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(1);

    public static final EtcdOptions DEFAULT = new EtcdOptions(null, null, null, null, null, null);

    public EtcdOptions(
            @Nullable Long quotaBackendBytes,
            @Nullable AutoCompaction autoCompaction,
            @Nullable Long snapshotCount,
            @Nullable String heartbeatInterval,
            @Nullable String electionTimeout,
            @Nullable Map<String, String> extraArgs) {
        this.quotaBackendBytes = quotaBackendBytes;
        this.autoCompaction = autoCompaction;
        this.snapshotCount = snapshotCount;
        this.heartbeatInterval = heartbeatInterval;
        this.electionTimeout = electionTimeout;
        this.extraArgs = Immutable.map(extraArgs);
    }

    public Duration electionTimeoutOrDefault() {
        return electionTimeout == null ? ELECTION_TIMEOUT : TimeSpan.parse(electionTimeout);
    }

    /** When etcd forgets old revisions by itself. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value =
                    "(has(self.mode) && self.mode == 'Revision')"
                            + " || (self.retention.matches('^([0-9]{1,6}(h|m|s))+$') && duration(self.retention) > duration('0s'))",
            message = "spec.etcd.autoCompaction.retention must be a time, as its mode is Periodic: write hours, minutes"
                    + " and seconds, such as 1h or 30m, or set mode to Revision")
    @ValidationRule(
            value = "!has(self.mode) || self.mode != 'Revision' || self.retention.matches('^[1-9][0-9]{0,17}$')",
            message = "spec.etcd.autoCompaction.retention must be a number of revisions, as its mode is Revision: write"
                    + " a whole number of at least 1, such as 1000, or set mode to Periodic")
    public record AutoCompaction(
            @JsonPropertyDescription("Whether retention is a time or a number of revisions. Default: Periodic.")
            @Nullable
            CompactionMode mode,

            @JsonPropertyDescription("How much history to keep: a duration such as 1h, or a number of revisions.")
            @Required
            @Size(max = 32)
            String retention) {}

    /** What retention counts. */
    public enum CompactionMode {
        @JsonProperty("Periodic")
        PERIODIC,
        @JsonProperty("Revision")
        REVISION
    }
}
