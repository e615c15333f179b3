package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import org.jspecify.annotations.Nullable;

/** An object in a bucket. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record BucketLocation(
        @JsonPropertyDescription("The bucket; its scheme says which kind: s3://, gs:// or azblob://.") @Required
        String bucketURL,

        @JsonPropertyDescription(
                "Path of the object in the bucket. {namespace}, {cluster}, {time}, {revision}, {uid} and {version} are filled in when a backup is stored.")
        @Nullable
        String objectPath,

        @JsonPropertyDescription("URL of a compatible store; the provider's own when absent.") @Nullable
        String endpoint,

        @JsonPropertyDescription("Region of the bucket.") @Nullable
        String region,

        @JsonPropertyDescription("Whether the bucket's name is part of the path instead of the host name.") @Nullable
        Boolean pathStyle,

        @JsonPropertyDescription("How to log in; the pod's own identity when absent.") @Nullable
        Credentials credentials) {
    /** How to log in to the store: one of these. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Credentials(
            @JsonPropertyDescription("Amazon S3 and compatible stores.") @Nullable
            AwsCredentials aws,

            @JsonPropertyDescription("Google Cloud Storage.") @Nullable
            GoogleCloudCredentials googleCloud,

            @JsonPropertyDescription("Azure Blob Storage.") @Nullable
            AzureCredentials azure) {}

    /** Amazon S3 and compatible stores. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AwsCredentials(
            @JsonPropertyDescription("The Secret with the keys AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.") @Required
            LocalObjectReference secretRef) {}

    /** Google Cloud Storage. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record GoogleCloudCredentials(
            @JsonPropertyDescription("The key of a Secret with the service account's JSON file.") @Required
            SecretKeySelector secretKeyRef) {}

    /** Azure Blob Storage. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AzureCredentials(
            @JsonPropertyDescription("The Secret with the account's name and key.") @Required
            LocalObjectReference secretRef) {}
}
