package etcdoperator.agent;

import etcdoperator.agent.crypto.EncryptionKey;
import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.store.Store;
import etcdoperator.store.StoreAddress;
import etcdoperator.store.StoreCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where objects are, who we are there, and what they are encrypted with. */
final class StoreOptions {
    /** Whose credentials are given. */
    enum Kind {
        AWS,
        GOOGLE,
        AZURE,
        POD
    }

    @Flag(name = "--bucket-url", description = "s3://BUCKET/PREFIX, gs://… or azblob://….")
    private @Nullable String bucketUrl;

    @Flag(name = "--endpoint", description = "URL of a store that is compatible.")
    private @Nullable String endpoint;

    @Flag(
            name = "--allowed-endpoints",
            description = "Endpoints that credentials may be sent to; or none but the providers'.")
    private String allowedEndpoints = "none";

    @Flag(name = "--region", description = "Of the bucket.")
    private @Nullable String region;

    @Flag(name = "--path-style", description = "true: the bucket is named in the path, not the host.")
    private @Nullable Boolean pathStyle;

    @Flag(name = "--folder", description = "A mounted volume, instead of a bucket.")
    private @Nullable Path folder;

    @Flag(name = "--credentials", description = "aws, google, azure, or pod for the pod's own identity.")
    private String credentials = "pod";

    @Flag(name = "--credentials-dir", description = "For aws and azure: a folder with a file for each key.")
    private @Nullable Path credentialsDir;

    @Flag(name = "--google-key-file", description = "Key of a service account, for --credentials=google.")
    private @Nullable Path googleKeyFile;

    @Flag(name = "--encryption-key-file", description = "32 bytes in Base64.")
    private @Nullable Path encryptionKeyFile;

    Store open() throws AgentException {
        if (folder != null) {
            return Store.in(folder);
        }
        StoreAddress address = address();
        Optional<String> obstacle = AllowedEndpoints.parse(allowedEndpoints)
                .obstacle(String.valueOf(bucketUrl), Optional.ofNullable(endpoint), kind() == Kind.POD);
        if (obstacle.isPresent()) {
            throw AgentException.fatal(obstacle.get());
        }
        return Store.in(address, credentials());
    }

    /** What the object is called in the world; in a volume it has only its path. */
    Optional<String> objectUrl(String path) throws AgentException {
        return folder != null ? Optional.empty() : Optional.of(address().objectUrl(path));
    }

    /** What to call it in a sentence. */
    String name(String path) throws AgentException {
        return objectUrl(path).orElse(folder + "/" + path);
    }

    Optional<EncryptionKey> key() throws AgentException {
        return encryptionKeyFile == null ? Optional.empty() : Optional.of(EncryptionKey.read(encryptionKeyFile));
    }

    private StoreAddress address() throws AgentException {
        if (bucketUrl == null) {
            throw AgentException.fatal("no store is named: give --bucket-url or --folder");
        }
        return StoreAddress.parse(bucketUrl, endpoint, region, pathStyle);
    }

    private StoreCredentials credentials() throws AgentException {
        return switch (kind()) {
            case POD -> new StoreCredentials.PodIdentity();
            case AWS ->
                new StoreCredentials.AccessKey(
                        needed("AWS_ACCESS_KEY_ID"), needed("AWS_SECRET_ACCESS_KEY"), given("AWS_SESSION_TOKEN"));
            case AZURE -> azure();
            case GOOGLE -> new StoreCredentials.GoogleKey(googleKey());
        };
    }

    private Kind kind() throws AgentException {
        try {
            return Kind.valueOf(credentials.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw AgentException.fatal("--credentials takes aws, google, azure or pod");
        }
    }

    private StoreCredentials azure() throws AgentException {
        String account = needed("AZURE_STORAGE_ACCOUNT");
        Optional<String> signature = given("AZURE_STORAGE_SAS_TOKEN");
        Optional<String> key = given("AZURE_STORAGE_KEY");
        if (key.isEmpty() && signature.isEmpty()) {
            throw missing("neither AZURE_STORAGE_KEY nor AZURE_STORAGE_SAS_TOKEN: put one into the Secret");
        }
        return key.<StoreCredentials>map(known -> new StoreCredentials.AzureKey(account, known))
                .orElseGet(() -> new StoreCredentials.AzureSignature(account, signature.orElseThrow()));
    }

    private String googleKey() throws AgentException {
        try {
            if (googleKeyFile != null) {
                return Files.readString(googleKeyFile);
            }
        } catch (IOException e) {
            // The same cure.
        }
        throw AgentException.fatal("the key of Google's service account cannot be read from " + googleKeyFile
                + ": put it into the Secret of the credentials");
    }

    private String needed(String name) throws AgentException {
        Optional<String> value = given(name);
        if (value.isEmpty()) {
            throw missing("no %s: put it into their Secret".formatted(name));
        }
        return value.get();
    }

    /** The Secret may be created or completed a moment after the object that names it. */
    private static AgentException missing(String what) {
        return AgentException.forNow("the credentials have " + what);
    }

    /** Secrets made with echo end with a line break, which no key has. */
    private Optional<String> given(String name) throws AgentException {
        if (credentialsDir == null) {
            throw AgentException.fatal("no folder with credentials is named: give --credentials-dir");
        }
        try {
            Path file = credentialsDir.resolve(name);
            return Files.exists(file)
                    ? Optional.of(Files.readString(file).strip()).filter(value -> !value.isEmpty())
                    : Optional.empty();
        } catch (IOException e) {
            throw AgentException.fatal("%s of the credentials cannot be read: %s".formatted(name, e));
        }
    }
}
