package etcdoperator.store;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;

/** Makes clients of Azure Blob Storage. */
final class AzureClients {
    private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private AzureClients() {}

    static BlobContainerClient client(StoreAddress address, StoreCredentials credentials) {
        var builder = new BlobServiceClientBuilder()
                .httpClient(
                        new JdkHttpClientBuilder().connectionTimeout(CONNECT).build())
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, (Duration) null, null, null, null));
        switch (credentials) {
            case StoreCredentials.AzureKey key ->
                builder.endpoint(endpoint(address, key.account()))
                        .credential(new StorageSharedKeyCredential(key.account(), key.key()));
            case StoreCredentials.AzureSignature signature ->
                builder.endpoint(endpoint(address, signature.account()))
                        .sasToken(signature.token().replaceFirst("^\\?", ""));
            case StoreCredentials.PodIdentity pod ->
                builder.endpoint(address.endpoint().map(URI::toString).orElseThrow(AzureClients::noAccount))
                        .credential(new AzurePodIdentity(System.getenv()));
            case StoreCredentials.AccessKey aws -> throw unfit();
            case StoreCredentials.GoogleKey google -> throw unfit();
        }
        return builder.buildClient().getBlobContainerClient(address.bucket());
    }

    private static String endpoint(StoreAddress address, String account) {
        return address.endpoint().map(URI::toString).orElseGet(() -> home(account));
    }

    /** A name that is more than a name would lead elsewhere. */
    private static String home(String account) {
        if (!ACCOUNT.matcher(account).matches()) {
            throw new IllegalArgumentException(
                    "AZURE_STORAGE_ACCOUNT must be the name of a storage account, with 3 to 24"
                            + " lower case letters and digits: correct it in the Secret");
        }
        return "https://" + account + ".blob.core.windows.net";
    }

    private static IllegalArgumentException noAccount() {
        return new IllegalArgumentException("an azblob:// bucket without credentials needs the field endpoint, such as"
                + " https://ACCOUNT.blob.core.windows.net, for nothing else names the storage account");
    }

    private static IllegalArgumentException unfit() {
        return new IllegalArgumentException(
                "an azblob:// bucket takes credentials of the kind azure, or the pod's own");
    }
}
