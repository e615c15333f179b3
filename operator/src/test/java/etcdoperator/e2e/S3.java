package etcdoperator.e2e;

import etcdoperator.store.StoreCredentials.AccessKey;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Amazon's own client, for what the operator never does: to make buckets and to remove them. */
final class S3 {
    private S3() {}

    static S3Client client(String endpoint, AccessKey key) {
        return S3Client.builder()
                .endpointOverride(URI.create(endpoint))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .httpClient(UrlConnectionHttpClient.create())
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create(key.id(), key.secret())))
                .build();
    }
}
