package etcdoperator.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import org.jspecify.annotations.Nullable;

/** An object in a bucket. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
        value = StoreRules.FITTING_LOGIN,
        message =
                "bucket.credentials must fit bucketURL: give aws for s3://, googleCloud for gs://, azure for azblob://,"
                        + " or none for the pod's own identity")
public record BucketLocation(
        @JsonPropertyDescription("The bucket; its scheme says which kind: s3://, gs:// or azblob://. A path after its"
                + " name goes before every object's.")
        @Required
        @Size(max = 512)
        @ValidationRule(
                value = StoreRules.BUCKET_URL,
                message = "bucketURL must be s3://, gs:// or azblob:// and the name of a bucket: write one such as"
                        + " s3://etcd-backups, with credentials in a Secret and the rest in fields of their own")
        String bucketURL,

        @JsonPropertyDescription(
                "Path of the object in the bucket. {namespace}, {cluster}, {time}, {revision}, {uid} and {version} are filled in when a backup is stored."
                        + " Default for a backup: {namespace}/{cluster}/{time}-{uid}.db.")
        @Size(max = StoreRules.LONGEST_PATH)
        @ValidationRule(value = StoreRules.BLANKS, message = "bucket.objectPath" + StoreRules.BLANKS_MESSAGE)
        @ValidationRule(value = StoreRules.PATH, message = "bucket.objectPath" + StoreRules.PATH_MESSAGE)
        @Nullable
        String objectPath,

        @JsonPropertyDescription(
                "URL of a compatible store; the provider's own when absent. Which ones are allowed is a setting of the operator.")
        @Size(max = 512)
        @ValidationRule(
                value = StoreRules.URL,
                message = "bucket.endpoint must be a URL without user, ? and #: write one such as"
                        + " https://s3.example.com:9000, and credentials into a Secret")
        @Nullable
        String endpoint,

        @JsonPropertyDescription("Region of the bucket.")
        @Size(max = 63)
        @ValidationRule(
                value = StoreRules.REGION,
                message = "bucket.region must be the name of a region: write one such as eu-west-1")
        @Nullable
        String region,

        @JsonPropertyDescription("Whether the bucket's name is part of the path instead of the host name. Default: true"
                + " where an endpoint is given.")
        @Nullable
        Boolean pathStyle,

        @JsonPropertyDescription(
                "How to log in; the identity of the pod's service account when absent, which is only sent to the provider's own endpoints.")
        @Nullable
        Credentials credentials) {
    /** How to log in to the store: one of these. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = StoreRules.ONE_LOGIN,
            message = "bucket.credentials must be of one kind: keep aws, googleCloud or azure")
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
            @JsonPropertyDescription(
                    "The Secret with the keys AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN"
                            + " where there is one.")
            @Required
            @ValidationRule(
                    value = StoreRules.NAMED,
                    message = "credentials.aws.secretRef needs a name: that of a Secret with AWS_ACCESS_KEY_ID and"
                            + " AWS_SECRET_ACCESS_KEY")
            LocalObjectReference secretRef) {}

    /** Google Cloud Storage. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record GoogleCloudCredentials(
            @JsonPropertyDescription("The key of a Secret with the service account's JSON file.")
            @Required
            @ValidationRule(
                    value = StoreRules.KEYED,
                    message = "credentials.googleCloud.secretKeyRef needs a name and a key: those of a Secret and of"
                            + " the JSON file in it")
            SecretKeySelector secretKeyRef) {}

    /** Azure Blob Storage. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record AzureCredentials(
            @JsonPropertyDescription("The Secret with the keys AZURE_STORAGE_ACCOUNT and AZURE_STORAGE_KEY or"
                    + " AZURE_STORAGE_SAS_TOKEN.")
            @Required
            @ValidationRule(
                    value = StoreRules.NAMED,
                    message =
                            "credentials.azure.secretRef needs a name: that of a Secret with AZURE_STORAGE_ACCOUNT and"
                                    + " AZURE_STORAGE_KEY")
            LocalObjectReference secretRef) {}
}
