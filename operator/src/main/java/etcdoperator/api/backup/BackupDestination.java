package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where a backup is stored: a bucket or a volume. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(value = StoreRules.EITHER, message = "destination must be a bucket or a volume: give one of the two")
public record BackupDestination(
        @JsonPropertyDescription("An object in a bucket.") @Nullable
        BucketLocation bucket,

        @JsonPropertyDescription("A file on a volume.") @Nullable
        VolumeLocation volume) {}
