package etcdoperator.store;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Makes clients that any compatible store understands. */
final class S3Clients {
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final Duration CONNECT = Duration.ofSeconds(10);

    private S3Clients() {}

    static S3Client client(StoreAddress address, StoreCredentials credentials) {
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(provider(credentials))
                .httpClient(new S3Http(SILENCE, CONNECT))
                .overrideConfiguration(configuration -> configuration
                        .retryStrategy(AwsRetryStrategy.doNotRetry())
                        // There is none in the image, and one on a developer's machine is not meant.
                        .defaultProfileFile(ProfileFile.aggregator().build()))
                // Newer checksums than compatible stores know, and in a trailer that they do not expect.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(S3Configuration.builder()
                        .pathStyleAccessEnabled(address.pathStyle())
                        .chunkedEncodingEnabled(false)
                        .build());
        address.endpoint().map(URI::normalize).ifPresent(builder::endpointOverride);
        if (address.region().isPresent()) {
            builder.region(Region.of(address.region().get()));
        } else {
            builder.region(region(address));
            builder.crossRegionAccessEnabled(address.endpoint().isEmpty());
        }
        return builder.build();
    }

    /** Compatible stores have no regions, but a signature needs one. AWS tells us if it is another. */
    private static Region region(StoreAddress address) {
        if (address.endpoint().isPresent()) {
            return Region.US_EAST_1;
        }
        try {
            return DefaultAwsRegionProviderChain.builder().build().getRegion();
        } catch (SdkClientException nobodySays) {
            return Region.US_EAST_1;
        }
    }

    private static AwsCredentialsProvider provider(StoreCredentials credentials) {
        return switch (credentials) {
            case StoreCredentials.AccessKey key -> StaticCredentialsProvider.create(fixed(key));
            case StoreCredentials.PodIdentity pod -> podIdentity();
            case StoreCredentials.GoogleKey google -> throw unfit();
            case StoreCredentials.AzureKey azure -> throw unfit();
            case StoreCredentials.AzureSignature azure -> throw unfit();
        };
    }

    /**
     * Of the pod's service account, which a webhook of Amazon's puts into the pod's environment. The usual chain of the
     * library ends with the metadata server, which gives the identity of the node to every pod.
     */
    private static AwsCredentialsProvider podIdentity() {
        return AwsCredentialsProviderChain.builder()
                .addCredentialsProvider(WebIdentityTokenFileCredentialsProvider.create())
                .addCredentialsProvider(ContainerCredentialsProvider.builder().build())
                .build();
    }

    private static AwsCredentials fixed(StoreCredentials.AccessKey key) {
        return key.sessionToken()
                .<AwsCredentials>map(token -> AwsSessionCredentials.create(key.id(), key.secret(), token))
                .orElseGet(() -> AwsBasicCredentials.create(key.id(), key.secret()));
    }

    private static IllegalArgumentException unfit() {
        return new IllegalArgumentException("an s3:// bucket takes credentials of the kind aws, or the pod's own");
    }
}
