package io.improbable.etcd.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** TLS of client and peer traffic; plaintext where absent. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record TlsSpec(
        @JsonPropertyDescription("TLS between clients and members.") @Nullable
        ClientTls client,

        @JsonPropertyDescription("TLS between members.") @Nullable
        PeerTls peer,

        @JsonPropertyDescription("Further names and addresses in the server certificates.")
        List<String> extraSANs,

        @JsonPropertyDescription("Lifetimes of the certificates the operator makes.") @Nullable
        ManagedLifetimes managed) {
    public TlsSpec(
            @Nullable ClientTls client,
            @Nullable PeerTls peer,
            @Nullable List<String> extraSANs,
            @Nullable ManagedLifetimes managed) {
        this.client = client;
        this.peer = peer;
        this.extraSANs = Immutable.list(extraSANs);
        this.managed = managed;
    }

    /** Where client certificates come from, and whether they are required. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ClientTls(
            @JsonPropertyDescription("The operator makes and renews the certificates.") @Nullable
            ManagedCertificates managed,

            @JsonPropertyDescription("The certificates are in Secrets of yours.") @Nullable
            SecretCertificates secret,

            @JsonPropertyDescription("cert-manager makes and renews the certificates.") @Nullable
            CertManagerCertificates certManager,

            @JsonPropertyDescription("Required: clients must show a certificate. Permissive: they may.") @Nullable
            ClientTlsMode mode) {}

    /** Where the certificates between members come from. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record PeerTls(
            @JsonPropertyDescription("The operator makes and renews the certificates.") @Nullable
            ManagedCertificates managed,

            @JsonPropertyDescription("The certificates are in Secrets of yours.") @Nullable
            SecretCertificates secret,

            @JsonPropertyDescription("cert-manager makes and renews the certificates.") @Nullable
            CertManagerCertificates certManager) {}

    /** The operator makes and renews the certificates. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ManagedCertificates() {}

    /** The certificates are in a Secret of the user's. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record SecretCertificates(
            @JsonPropertyDescription("Name of the Secret, with the keys tls.crt, tls.key and ca.crt.") @Required
            String name) {}

    /** cert-manager makes and renews the certificates. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CertManagerCertificates(
            @JsonPropertyDescription("The issuer that signs them.") @Required
            IssuerRef issuerRef) {}

    /** An issuer of cert-manager. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record IssuerRef(
            @JsonPropertyDescription("Name of the issuer.") @Required
            String name,

            @JsonPropertyDescription("Issuer or ClusterIssuer. Default: Issuer.") @Nullable
            String kind,

            @JsonPropertyDescription("API group of the issuer. Default: cert-manager.io.") @Nullable
            String group) {}

    /** How long certificates made by the operator are valid. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ManagedLifetimes(
            @JsonPropertyDescription("Lifetime of server, peer and client certificates.") @Nullable
            String leafLifetime,

            @JsonPropertyDescription("Lifetime of the certificate authority.") @Nullable
            String caLifetime) {}

    /** Whether clients must show a certificate. */
    public enum ClientTlsMode {
        @JsonProperty("Required")
        REQUIRED,
        @JsonProperty("Permissive")
        PERMISSIVE
    }
}
