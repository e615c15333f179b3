package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.List;
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

        @JsonPropertyDescription("What becomes of the stored backup when this object is deleted. Default: Keep.")
        @Nullable
        OnDelete onDelete,

        @JsonPropertyDescription("Service account of the pod that takes the backup.") @Nullable
        String serviceAccountName,

        @JsonPropertyDescription("Resource requests and limits of that pod.") @Nullable
        ResourceRequirements resources,

        @JsonPropertyDescription("How long that pod may run, such as 1h.") @Nullable
        String activeDeadline) {
    /** What is backed up: a cluster in the same namespace, or endpoints. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record BackupSource(
            @JsonPropertyDescription("Name of an EtcdCluster in the same namespace.") @Nullable
            String cluster,

            @JsonPropertyDescription("Client URLs of another etcd cluster.")
            List<String> endpoints,

            @JsonPropertyDescription("Name of the Secret with tls.crt, tls.key and ca.crt for those endpoints.")
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
            @JsonPropertyDescription("The key of a Secret with 32 bytes in base64.") @Required
            SecretKeySelector keySecretRef) {}

    /** How a backup is compressed. */
    public enum Compression {
        @JsonProperty("None")
        NONE,
        @JsonProperty("Gzip")
        GZIP
    }
}
