package etcdoperator.manifest;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.BucketLocation.Credentials;
import etcdoperator.api.backup.EtcdBackupSpec.Encryption;
import etcdoperator.api.backup.VolumeLocation;
import etcdoperator.domain.AllowedEndpoints;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How an agent finds a store and is let in: the one shape for backups and for what restores them. */
public final class StoreKit {
    private static final String FOLDER = "/backups";
    private static final String GOOGLE_KEY = "google.json";
    private static final String ENCRYPTION_KEY = "key";

    private StoreKit() {}

    public static AgentKit of(BackupDestination place, AllowedEndpoints allowed) {
        return Stream.of(
                        Optional.ofNullable(place.bucket()).map(bucket -> of(bucket, allowed)),
                        Optional.ofNullable(place.volume()).map(StoreKit::of))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(AgentKit.EMPTY);
    }

    public static AgentKit of(BucketLocation bucket, AllowedEndpoints allowed) {
        List<String> flags = new ArrayList<>(List.of("--bucket-url=" + bucket.bucketURL()));
        Optional.ofNullable(bucket.endpoint()).ifPresent(url -> {
            flags.add("--endpoint=" + url);
            flags.add("--allowed-endpoints=" + allowed.text());
        });
        Optional.ofNullable(bucket.region()).ifPresent(region -> flags.add("--region=" + region));
        Optional.ofNullable(bucket.pathStyle()).ifPresent(style -> flags.add("--path-style=" + style));
        return AgentKit.ofFlags(flags.toArray(String[]::new)).and(login(bucket.credentials()));
    }

    public static AgentKit of(VolumeLocation volume) {
        return AgentMount.claim("backups", volume.claimName(), FOLDER, false).with("--folder=" + FOLDER);
    }

    public static AgentKit of(@Nullable Encryption encryption) {
        if (encryption == null) {
            return AgentKit.EMPTY;
        }
        SecretKeySelector key = encryption.keySecretRef();
        var mount = AgentMount.secret("encryption", key.getName(), new KeyToPath(key.getKey(), null, ENCRYPTION_KEY));
        return mount.with("--encryption-key-file=" + mount.folder() + "/" + ENCRYPTION_KEY);
    }

    /** Why no agent may log in there, whatever the store says. The agent finds the same. */
    public static Optional<String> obstacle(BackupDestination place, AllowedEndpoints allowed) {
        return Optional.ofNullable(place.bucket())
                .flatMap(bucket -> allowed.obstacle(
                        bucket.bucketURL(), Optional.ofNullable(bucket.endpoint()), usesPodIdentity(bucket)));
    }

    /** Azure's webhook gives an identity only to pods that ask for it. */
    public static Map<String, String> labels(BackupDestination place) {
        return Optional.ofNullable(place.bucket())
                        .filter(bucket -> bucket.bucketURL().startsWith("azblob://") && usesPodIdentity(bucket))
                        .isPresent()
                ? Map.of("azure.workload.identity/use", "true")
                : Map.of();
    }

    private static boolean usesPodIdentity(BucketLocation bucket) {
        Credentials credentials = bucket.credentials();
        return credentials == null
                || (credentials.aws() == null && credentials.azure() == null && credentials.googleCloud() == null);
    }

    /** The Secrets without which no agent starts. */
    public static Set<String> secrets(BackupDestination place, @Nullable Encryption encryption) {
        Optional<Credentials> login =
                Optional.ofNullable(place.bucket()).flatMap(bucket -> Optional.ofNullable(bucket.credentials()));
        Set<String> names = new TreeSet<>();
        login.map(Credentials::aws).ifPresent(aws -> names.add(aws.secretRef().getName()));
        login.map(Credentials::azure)
                .ifPresent(azure -> names.add(azure.secretRef().getName()));
        login.map(Credentials::googleCloud)
                .map(BucketLocation.GoogleCloudCredentials::secretKeyRef)
                .filter(key -> !Boolean.TRUE.equals(key.getOptional()))
                .ifPresent(key -> names.add(key.getName()));
        Optional.ofNullable(encryption)
                .ifPresent(key -> names.add(key.keySecretRef().getName()));
        return names;
    }

    private static AgentKit login(@Nullable Credentials credentials) {
        if (credentials == null) {
            return AgentKit.ofFlags("--credentials=pod");
        }
        if (credentials.aws() != null) {
            return inFiles(
                    "aws",
                    credentials.aws().secretRef(),
                    "AWS_ACCESS_KEY_ID",
                    "AWS_SECRET_ACCESS_KEY",
                    "AWS_SESSION_TOKEN");
        }
        if (credentials.azure() != null) {
            return inFiles(
                    "azure",
                    credentials.azure().secretRef(),
                    "AZURE_STORAGE_ACCOUNT",
                    "AZURE_STORAGE_KEY",
                    "AZURE_STORAGE_SAS_TOKEN");
        }
        return credentials.googleCloud() == null
                ? AgentKit.ofFlags("--credentials=pod")
                : google(credentials.googleCloud().secretKeyRef());
    }

    private static AgentKit google(SecretKeySelector key) {
        var mount = AgentMount.secret("google", key.getName(), new KeyToPath(key.getKey(), null, GOOGLE_KEY));
        mount.volume().getSecret().setOptional(key.getOptional());
        return mount.with("--credentials=google", "--google-key-file=" + mount.folder() + "/" + GOOGLE_KEY);
    }

    /** The agent says which key is missing. A pod that waits for the key says nothing. */
    private static AgentKit inFiles(String kind, LocalObjectReference secret, String... keys) {
        KeyToPath[] files =
                Stream.of(keys).map(key -> new KeyToPath(key, null, key)).toArray(KeyToPath[]::new);
        AgentMount mount = AgentMount.optionalSecret(kind, secret.getName(), files);
        return mount.with("--credentials=" + kind, "--credentials-dir=" + mount.folder());
    }
}
