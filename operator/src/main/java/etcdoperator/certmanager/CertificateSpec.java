package etcdoperator.certmanager;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a Certificate that the operator sets. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CertificateSpec(
        String secretName,
        @Nullable SecretTemplate secretTemplate,
        @Nullable String commonName,
        List<String> dnsNames,
        List<String> ipAddresses,
        List<String> usages,
        @Nullable String duration,
        @Nullable String renewBefore,
        @Nullable PrivateKey privateKey,
        @Nullable Issuer issuerRef) {
    public CertificateSpec {
        dnsNames = orEmpty(dnsNames);
        ipAddresses = orEmpty(ipAddresses);
        usages = orEmpty(usages);
    }

    private static List<String> orEmpty(@Nullable List<String> given) {
        return given == null ? List.of() : List.copyOf(given);
    }

    /** What the Secret carries, so that the operator finds it. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record SecretTemplate(Map<String, String> labels) {}

    /** How the key is made. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record PrivateKey(String algorithm, int size, String encoding, String rotationPolicy) {}

    /** Who signs. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Issuer(String name, String kind, String group) {}
}
