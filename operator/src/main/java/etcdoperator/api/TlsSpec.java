package etcdoperator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import etcdoperator.api.rules.Immutable;
import etcdoperator.domain.TimeSpan;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
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

        @JsonPropertyDescription("Further names and addresses by which clients reach the members, for the certificates"
                + " that the operator or cert-manager makes.")
        @Size(max = 50)
        @ValidationRule(
                value = "self.all(name, name.matches('" + TlsSpec.SAN + "'))",
                message = "spec.tls.extraSANs must be names in lower case or addresses: write etcd.example.com,"
                        + " *.etcd.example.com or 192.0.2.7")
        List<@Size(max = 253) String> extraSANs,

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

    /** A name in lower case, whose first label may be a star, or an address. */
    static final String SAN = "^([*][.])?[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"
            + "|^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$";

    /** Those who have certificates from one source do not trust those who have them from another. */
    static final String SAME_SOURCE =
            "has(self.managed) == has(oldSelf.managed) && has(self.secret) == has(oldSelf.secret)"
                    + " && has(self.certManager) == has(oldSelf.certManager)";

    static final String ONE_SOURCE =
            "[has(self.managed), has(self.secret), has(self.certManager)].filter(given, given).size() == 1";

    public static final TlsSpec NONE = new TlsSpec(null, null, null, null);

    /** Both sides, by the operator. */
    public static final TlsSpec MANAGED = new TlsSpec(
            new ClientTls(new ManagedCertificates(), null, null, null),
            new PeerTls(new ManagedCertificates(), null, null),
            null,
            null);

    public boolean asksCertManager() {
        return (client != null && client.certManager() != null) || (peer != null && peer.certManager() != null);
    }

    public ManagedLifetimes lifetimes() {
        return managed == null ? ManagedLifetimes.DEFAULT : managed;
    }

    /** Where client certificates come from, and whether they are required. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    @ValidationRule(
            value = TlsSpec.ONE_SOURCE,
            message = "spec.tls.client needs one of managed, secret and certManager, and only one: write managed: {} to"
                    + " have the operator make the certificates")
    @ValidationRule(
            value = TlsSpec.SAME_SOURCE,
            message =
                    "spec.tls.client cannot get its certificates from elsewhere while members use them: remove it, wait"
                            + " until the cluster has settled, and then set it anew")
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
    @ValidationRule(
            value = TlsSpec.ONE_SOURCE,
            message = "spec.tls.peer needs one of managed, secret and certManager, and only one: write managed: {} to"
                    + " have the operator make the certificates")
    @ValidationRule(
            value = "!has(self.secret) || !has(self.secret.clientName)",
            message = "spec.tls.peer.secret.clientName means nothing, because members show each other the same"
                    + " certificate on both sides: remove it")
    @ValidationRule(
            value = TlsSpec.SAME_SOURCE,
            message = "spec.tls.peer cannot get its certificates from elsewhere while members use them: remove it, wait"
                    + " until the cluster has settled, and then set it anew")
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
            @JsonPropertyDescription("Name of the Secret with what members show: the keys tls.crt, tls.key and ca.crt,"
                    + " or those that CoreOS's operator knew (server.crt, server.key, server-ca.crt; peer.crt, peer.key,"
                    + " peer-ca.crt).")
            @Required
            String name,

            @JsonPropertyDescription("Name of the Secret with what the operator shows as a client: the keys tls.crt,"
                    + " tls.key and ca.crt, or etcd-client.crt, etcd-client.key and etcd-client-ca.crt. Default: it shows"
                    + " what members show. Only for tls.client.")
            @Nullable
            String clientName) {}

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
            @JsonPropertyDescription(
                    "Lifetime of server, peer and client certificates, which are renewed with a third of"
                            + " it left. At least 1m. Default: 2160h, 90 days.")
            @Size(max = 32)
            @ValidationRule(
                    value = "self.matches('^([0-9]{1,6}(h|m|s))+$') && duration(self) >= duration('1m')",
                    message =
                            "spec.tls.managed.leafLifetime must be a duration of at least 1m: write hours, minutes and"
                                    + " seconds, such as 2160h or 1h30m")
            @Nullable
            String leafLifetime,

            @JsonPropertyDescription(
                    "Lifetime of the certificate authority, which is followed by another with a third of"
                            + " it left. Default: 87600h, ten years.")
            @Size(max = 32)
            @ValidationRule(
                    value = "self.matches('^([0-9]{1,6}(h|m|s))+$') && duration(self) >= duration('1m')",
                    message = "spec.tls.managed.caLifetime must be a duration of at least 1m: write hours, minutes and"
                            + " seconds, such as 87600h")
            @Nullable
            String caLifetime) {
        static final ManagedLifetimes DEFAULT = new ManagedLifetimes(null, null);
        private static final Duration LEAF = Duration.ofDays(90);
        private static final Duration CA = Duration.ofDays(3650);

        public Duration leafLifetimeOrDefault() {
            return leafLifetime == null ? LEAF : TimeSpan.parse(leafLifetime);
        }

        public Duration caLifetimeOrDefault() {
            return caLifetime == null ? CA : TimeSpan.parse(caLifetime);
        }
    }

    /** Whether clients must show a certificate. */
    public enum ClientTlsMode {
        @JsonProperty("Required")
        REQUIRED,
        @JsonProperty("Permissive")
        PERMISSIVE
    }
}
