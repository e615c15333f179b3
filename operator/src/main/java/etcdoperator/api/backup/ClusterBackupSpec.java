package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.backup.EtcdBackupSpec.Compression;
import etcdoperator.api.backup.EtcdBackupSpec.Encryption;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Backups the operator takes of this cluster on its own account. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = StoreRules.DISTINCT, message = StoreRules.DISTINCT_MESSAGE)
public record ClusterBackupSpec(
        @JsonPropertyDescription("Where they are stored.") @Required
        BackupDestination destination,

        @JsonPropertyDescription("How they are compressed. Default: None.") @Nullable
        Compression compression,

        @JsonPropertyDescription("Encrypts them with AES-256-GCM; not encrypted when absent.") @Nullable
        Encryption encryption,

        @JsonPropertyDescription("Service account of the pods that take them.") @Nullable
        String serviceAccountName,

        @JsonPropertyDescription("Whether to take one before every change of the minor version. Default: true.")
        @Nullable
        Boolean beforeUpgrade,

        @JsonPropertyDescription("What becomes of them when the cluster is deleted. Default: Keep.") @Nullable
        OnDelete onDelete) {}
