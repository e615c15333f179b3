package etcdoperator.manifest;

import etcdoperator.api.backup.BackupDestination;
import etcdoperator.api.backup.BucketLocation;
import etcdoperator.api.backup.BucketLocation.Credentials;
import etcdoperator.api.backup.EtcdBackupSpec.Encryption;
import etcdoperator.api.backup.VolumeLocation;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How an agent finds a store and is let in: the one shape for backups and for what restores them. */
public final class StoreKit {
    private static final String FOLDER = "/backups";
    private static final String GOOGLE_KEY = "google.json";
    private static final String ENCRYPTION_KEY = "key";

    private StoreKit() {}

    public static AgentKit of(BackupDestination place) {
        return Stream.of(
                        Optional.ofNullable(place.bucket()).map(StoreKit::of),
                        Optional.ofNullable(place.volume()).map(StoreKit::of))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(AgentKit.EMPTY);
    }

    public static AgentKit of(BucketLocation bucket) {
        List<String> flags = new ArrayList<>(List.of("--bucket-url=" + bucket.bucketURL()));
        Optional.ofNullable(bucket.endpoint()).ifPresent(url -> flags.add("--endpoint=" + url));
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

    /** The Secrets without which no agent starts. */
    public static Set<String> secrets(BackupDestination place, @Nullable Encryption encryption) {
        Optional<Credentials> login =
                Optional.ofNullable(place.bucket()).flatMap(bucket -> Optional.ofNullable(bucket.credentials()));
        Stream<String> names = Stream.of(
                        login.map(Credentials::aws).map(aws -> aws.secretRef().getName()),
                        login.map(Credentials::azure)
                                .map(azure -> azure.secretRef().getName()),
                        login.map(Credentials::googleCloud)
                                .map(BucketLocation.GoogleCloudCredentials::secretKeyRef)
                                .filter(key -> !Boolean.TRUE.equals(key.getOptional()))
                                .map(SecretKeySelector::getName),
                        Optional.ofNullable(encryption)
                                .map(key -> key.keySecretRef().getName()))
                .flatMap(Optional::stream);
        return names.collect(Collectors.toCollection(TreeSet::new));
    }

    private static AgentKit login(@Nullable Credentials credentials) {
        if (credentials == null) {
            return AgentKit.ofFlags("--credentials=pod");
        }
        if (credentials.aws() != null) {
            LocalObjectReference secret = credentials.aws().secretRef();
            return inEnvironment(
                    "aws",
                    fromSecret("AWS_ACCESS_KEY_ID", secret, false),
                    fromSecret("AWS_SECRET_ACCESS_KEY", secret, false),
                    fromSecret("AWS_SESSION_TOKEN", secret, true));
        }
        if (credentials.azure() != null) {
            LocalObjectReference secret = credentials.azure().secretRef();
            return inEnvironment(
                    "azure",
                    fromSecret("AZURE_STORAGE_ACCOUNT", secret, false),
                    fromSecret("AZURE_STORAGE_KEY", secret, true),
                    fromSecret("AZURE_STORAGE_SAS_TOKEN", secret, true));
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

    private static AgentKit inEnvironment(String kind, EnvVar... variables) {
        return new AgentKit(List.of("--credentials=" + kind), List.of(variables), List.of(), List.of());
    }

    /** By reference: what is secret is never in a manifest. */
    private static EnvVar fromSecret(String variable, LocalObjectReference secret, boolean optional) {
        return new EnvVarBuilder()
                .withName(variable)
                .withNewValueFrom()
                .withNewSecretKeyRef()
                .withName(secret.getName())
                .withKey(variable)
                .withOptional(optional ? true : null)
                .endSecretKeyRef()
                .endValueFrom()
                .build();
    }
}
