package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/** How one peer's etcd speaks TLS right now; on the way from plaintext to TLS and back it differs from the wish. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TlsSetup(
        @JsonPropertyDescription("TLS between clients and this member.") @Nullable
        ClientSide client,

        @JsonPropertyDescription("TLS between this member and the others.") @Nullable
        PeerSide peer) {
    public static final TlsSetup NONE = new TlsSetup(null, null);

    /** How clients are served. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClientSide(
            @JsonPropertyDescription("Required: only https is served. Permissive: http, too.") @Required
            ClientTlsMode mode,

            @JsonPropertyDescription("The Secret with certificate and key.") @Required
            SecretFiles files) {}

    /** How members speak with each other. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record PeerSide(
            @JsonPropertyDescription("Prepared: the member could speak TLS and is reached without. Required: it is"
                    + " reached by TLS only.")
            @Required
            PeerStage stage,

            @JsonPropertyDescription("The Secret with certificate and key.") @Required
            SecretFiles files,

            @JsonPropertyDescription("The common name that certificates of members have; any where absent.") @Nullable
            String commonName,

            @JsonPropertyDescription("A host name, with the namespace in it, that certificates of members are good for;"
                    + " any where absent.")
            @Nullable
            String hostName) {}

    /** Where certificate, key and trusted authorities are. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record SecretFiles(
            @JsonPropertyDescription("Name of the Secret.") @Required
            String name,

            @JsonPropertyDescription("Its key with the certificate.") @Required
            String certificate,

            @JsonPropertyDescription("Its key with the private key.") @Required
            String key,

            @JsonPropertyDescription("Its key with the trusted authorities.") @Required
            String authorities,

            @JsonPropertyDescription("A hash over the trusted authorities, which etcd reads only when it starts.")
            @Required
            String trust) {}

    /** How far members have come on the way to TLS between them. */
    public enum PeerStage {
        @JsonProperty("Prepared")
        PREPARED,
        @JsonProperty("Required")
        REQUIRED
    }

    public boolean absent() {
        return client == null && peer == null;
    }
}
