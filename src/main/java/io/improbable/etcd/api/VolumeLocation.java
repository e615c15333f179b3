package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** A file on a volume. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record VolumeLocation(
        @JsonPropertyDescription("Name of the PersistentVolumeClaim, in the same namespace.") @Required
        String claimName,

        @JsonPropertyDescription(
                "Path of the file. {namespace}, {cluster}, {time}, {revision}, {uid} and {version} are filled in.")
        @Nullable
        String path) {}
