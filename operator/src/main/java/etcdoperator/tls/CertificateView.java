package etcdoperator.tls;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * What a certificate says.
 *
 * @param commonName empty if it has none
 * @param addresses in the form that is compared
 * @param usages what it may be shown for; all, if it says nothing about that
 * @param serial in hexadecimal, as openssl prints it
 * @param fingerprint SHA-256 of all of it, in hexadecimal
 * @param keyId which key it is for; empty if it does not say
 * @param issuerKeyId which key signed it; empty if it does not say
 */
public record CertificateView(
        String commonName,
        Set<String> dnsNames,
        Set<String> addresses,
        Instant notBefore,
        Instant notAfter,
        boolean isCa,
        Set<Usage> usages,
        String serial,
        String fingerprint,
        Optional<String> keyId,
        Optional<String> issuerKeyId) {
    private static final String ANY_USAGE = "2.5.29.37.0";
    private static final int DNS_NAME = 2;
    private static final int ADDRESS = 7;

    public CertificateView {
        dnsNames = Set.copyOf(dnsNames);
        addresses = Set.copyOf(addresses);
        usages = Set.copyOf(usages);
    }

    /**
     * The first certificate of a PEM text.
     *
     * @throws UnreadableException if there is none
     */
    public static CertificateView of(String pem) {
        return of(Pem.certificates(pem).getFirst());
    }

    /**
     * The first certificate of a PEM text, which is to be an authority's.
     *
     * @throws UnreadableException if there is none, or it is not
     */
    public static CertificateView ofAuthority(String pem) {
        return ofAuthority(Pem.certificates(pem).getFirst());
    }

    static CertificateView ofAuthority(X509Certificate certificate) {
        CertificateView view = of(certificate);
        if (!view.isCa) {
            throw new UnreadableException("its certificate is not an authority's");
        }
        return view;
    }

    public static CertificateView of(X509Certificate certificate) {
        try {
            Collection<List<?>> names = Optional.ofNullable(certificate.getSubjectAlternativeNames())
                    .orElse(List.of());
            return new CertificateView(
                    commonName(certificate),
                    names(names, DNS_NAME),
                    addresses(names(names, ADDRESS)),
                    certificate.getNotBefore().toInstant(),
                    certificate.getNotAfter().toInstant(),
                    certificate.getBasicConstraints() >= 0,
                    usages(Optional.ofNullable(certificate.getExtendedKeyUsage())),
                    certificate.getSerialNumber().toString(16),
                    fingerprint(certificate),
                    KeyId.of(certificate),
                    KeyId.ofIssuer(certificate));
        } catch (CertificateParsingException e) {
            throw new UnreadableException("its certificate is damaged");
        }
    }

    /** Whether it is for that name or address. As in Go, only the alternative names count, never the common name. */
    public boolean isFor(String nameOrAddress) {
        return Names.address(nameOrAddress)
                .map(addresses::contains)
                .orElseGet(() -> dnsNames.stream().anyMatch(pattern -> Names.covers(pattern, nameOrAddress)));
    }

    /** Whether it names the key of that certificate as its issuer's. Says nothing about the signature. */
    public boolean namesAsIssuer(CertificateView authority) {
        return issuerKeyId.isPresent() && issuerKeyId.equals(authority.keyId);
    }

    public boolean isValidAt(Instant time) {
        return !time.isBefore(notBefore) && !time.isAfter(notAfter);
    }

    static String fingerprint(X509Certificate certificate) {
        return sha256(Pem.encoded(certificate));
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String commonName(X509Certificate certificate) {
        try {
            // Written back to front: the last is the most specific.
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().reversed().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .findFirst()
                            .orElse("");
        } catch (InvalidNameException e) {
            throw new UnreadableException("its certificate is damaged");
        }
    }

    private static Set<String> names(Collection<List<?>> all, int kind) {
        return all.stream()
                .filter(name -> name.get(0) instanceof Integer of && of == kind)
                .map(name -> String.valueOf(name.get(1)))
                .collect(Collectors.toSet());
    }

    private static Set<String> addresses(Set<String> written) {
        return written.stream()
                .flatMap(address -> Names.address(address).stream())
                .collect(Collectors.toSet());
    }

    private static Set<Usage> usages(Optional<List<String>> said) {
        Set<Usage> usages = EnumSet.allOf(Usage.class);
        said.filter(oids -> !oids.contains(ANY_USAGE))
                .ifPresent(oids -> usages.removeIf(usage -> !oids.contains(usage.oid())));
        return usages;
    }
}
