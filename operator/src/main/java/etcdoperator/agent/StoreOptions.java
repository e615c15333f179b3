package etcdoperator.agent;

import etcdoperator.agent.crypto.EncryptionKey;
import etcdoperator.agentreport.AgentException;
import etcdoperator.commandline.Flag;
import etcdoperator.store.Store;
import etcdoperator.store.StoreAddress;
import etcdoperator.store.StoreCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
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

    @Flag(name = "--region", description = "Of the bucket.")
    private @Nullable String region;

    @Flag(name = "--path-style", description = "true: the bucket is named in the path, not the host.")
    private @Nullable Boolean pathStyle;

    @Flag(name = "--folder", description = "A mounted volume, instead of a bucket.")
    private @Nullable Path folder;

    @Flag(name = "--credentials", description = "aws, google, azure, or pod for the pod's own identity.")
    private String credentials = "pod";

    @Flag(name = "--google-key-file", description = "Key of a service account, for --credentials=google.")
    private @Nullable Path googleKeyFile;

    @Flag(name = "--encryption-key-file", description = "32 bytes in Base64.")
    private @Nullable Path encryptionKeyFile;

    Store open(Map<String, String> environment) throws AgentException {
        if (folder != null) {
            return Store.in(folder);
        }
        return Store.in(address(), credentials(environment));
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

    private StoreCredentials credentials(Map<String, String> environment) throws AgentException {
        return switch (kind()) {
            case POD -> new StoreCredentials.PodIdentity();
            case AWS ->
                new StoreCredentials.AccessKey(
                        needed(environment, "AWS_ACCESS_KEY_ID"),
                        needed(environment, "AWS_SECRET_ACCESS_KEY"),
                        given(environment, "AWS_SESSION_TOKEN"));
            case AZURE -> azure(environment);
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

    private static StoreCredentials azure(Map<String, String> environment) throws AgentException {
        String account = needed(environment, "AZURE_STORAGE_ACCOUNT");
        Optional<String> signature = given(environment, "AZURE_STORAGE_SAS_TOKEN");
        Optional<String> key = given(environment, "AZURE_STORAGE_KEY");
        if (key.isEmpty() && signature.isEmpty()) {
            throw AgentException.fatal(
                    "the credentials have neither AZURE_STORAGE_KEY nor AZURE_STORAGE_SAS_TOKEN: put one into the Secret");
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

    private static String needed(Map<String, String> environment, String name) throws AgentException {
        return given(environment, name)
                .orElseThrow(
                        () -> AgentException.fatal("the credentials have no " + name + ": put it into their Secret"));
    }

    /** Secrets made with echo end with a line break, which no key has. */
    private static Optional<String> given(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }
}
