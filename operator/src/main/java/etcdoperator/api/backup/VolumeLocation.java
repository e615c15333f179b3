package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** A file on a volume. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record VolumeLocation(
        @JsonPropertyDescription("Name of the PersistentVolumeClaim, in the same namespace.")
        @Required
        @Size(min = 1, max = 253)
        String claimName,

        @JsonPropertyDescription(
                "Path of the file. {namespace}, {cluster}, {time}, {revision}, {uid} and {version} are filled in."
                        + " Default: {namespace}/{cluster}/{time}-{uid}.db.")
        @Size(max = StoreRules.LONGEST_PATH)
        @ValidationRule(value = StoreRules.BLANKS, message = "volume.path" + StoreRules.BLANKS_MESSAGE)
        @ValidationRule(value = StoreRules.PATH, message = "volume.path" + StoreRules.PATH_MESSAGE)
        @Nullable
        String path) {}
