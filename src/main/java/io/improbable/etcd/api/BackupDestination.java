package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** Where a backup is stored: a bucket or a volume. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BackupDestination(
        @JsonPropertyDescription("An object in a bucket.") @Nullable
        BucketLocation bucket,

        @JsonPropertyDescription("A file on a volume.") @Nullable
        VolumeLocation volume) {}
