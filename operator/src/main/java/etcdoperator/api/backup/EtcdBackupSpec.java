package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.GoDuration;
import etcdoperator.api.rules.Immutable;
import etcdoperator.domain.TimeSpan;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One backup: of what, to where, and how. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record EtcdBackupSpec(
        @JsonPropertyDescription("What is backed up.") @Required
        BackupSource source,

        @JsonPropertyDescription("Where the backup is stored.") @Required
        BackupDestination destination,

        @JsonPropertyDescription("How the backup is compressed. Default: None.") @Nullable
        Compression compression,

        @JsonPropertyDescription("Encrypts the backup with AES-256-GCM; not encrypted when absent.") @Nullable
        Encryption encryption,

        @JsonPropertyDescription("What becomes of the stored backup when this object is deleted. Default: what"
                + " spec.backup.onDelete of the cluster says, else Keep.")
        @Nullable
        OnDelete onDelete,

        @JsonPropertyDescription(
                "Service account of the pod that takes the backup, for its own identity at a" + " provider.")
        @Size(max = 253)
        @Nullable
        String serviceAccountName,

        @JsonPropertyDescription("Resource requests and limits of that pod. Default: 192Mi of memory, whatever the"
                + " size of the backup.")
        @Nullable
        ResourceRequirements resources,

        @JsonPropertyDescription(
                "How long that pod may take, with all attempts, such as 1h. At least 10s. Default: as long as"
                        + " it takes.")
        @Size(max = 32)
        @ValidationRule(
                value = "self.matches('" + GoDuration.PATTERN + "') && duration(self) >= duration('10s')",
                message = "activeDeadline must be a duration of at least 10s: write hours, minutes and seconds, such as"
                        + " 1h or 1h30m")
        @Nullable
        String activeDeadline) {
    public Optional<Duration> deadline() {
        return Optional.ofNullable(activeDeadline).map(TimeSpan::parse);
    }

    /** What is backed up: a cluster in the same namespace, or endpoints. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = "has(self.cluster) != has(self.endpoints)",
            message = "source must be a cluster or endpoints: give one of the two")
    @ValidationRule(
            value = "!has(self.tlsSecret) || has(self.endpoints)",
            message = "source.tlsSecret goes with source.endpoints: remove it, the operator knows how to reach its own"
                    + " clusters")
    public record BackupSource(
            @JsonPropertyDescription("Name of an EtcdCluster in the same namespace.") @Size(min = 1, max = 45) @Nullable
            String cluster,

            @JsonPropertyDescription("Client URLs of another etcd cluster, tried in this order.")
            @Size(min = 1, max = 16)
            @ValidationRule(
                    value = "self.all(url, url.matches('^https?://[^/@?# ]+/?$'))",
                    message = "source.endpoints must be client URLs: write one such as https://etcd.example.com:2379")
            List<@Size(max = 253) String> endpoints,

            @JsonPropertyDescription("Name of the Secret with tls.crt, tls.key and ca.crt for those endpoints.")
            @Size(min = 1, max = 253)
            @Nullable
            String tlsSecret) {
        public BackupSource(@Nullable String cluster, @Nullable List<String> endpoints, @Nullable String tlsSecret) {
            this.cluster = cluster;
            this.endpoints = Immutable.list(endpoints);
            this.tlsSecret = tlsSecret;
        }
    }

    /** The key backups are encrypted with. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Encryption(
            @JsonPropertyDescription("The key of a Secret with 32 bytes in base64.")
            @Required
            @ValidationRule(
                    value = StoreRules.KEYED,
                    message = "encryption.keySecretRef needs a name and a key: those of a Secret and of 32 bytes in"
                            + " base64 in it")
            SecretKeySelector keySecretRef) {}

    /** How a backup is compressed. */
    public enum Compression {
        @JsonProperty("None")
        NONE,
        @JsonProperty("Gzip")
        GZIP
    }
}
