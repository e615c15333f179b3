package etcdoperator.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs certificates. */
public final class Authority {
    /** How long before now a certificate is valid from: clocks of nodes differ. */
    public static final Duration BACKDATED = Duration.ofHours(1);

    /** Positive, and in 16 bytes: no reader has trouble with it, and no two are the same. */
    private static final int SERIAL_BITS = 127;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<X509Certificate> chain;
    private final PrivateKey key;

    private Authority(List<X509Certificate> chain, PrivateKey key) {
        this.chain = chain;
        this.key = key;
    }

    /** A new one, trusted by whoever trusts its certificate. */
    public static Authority create(String commonName, Duration lifetime, Instant now) {
        KeyPair pair = newKeyPair();
        X500Name name = name(commonName);
        var builder = builder(name, now.minus(BACKDATED), now.plus(lifetime), name, pair.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(Extension.subjectKeyIdentifier, false, keyId(pair.getPublic()));
            return new Authority(List.of(signed(builder, pair.getPrivate())), pair.getPrivate());
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("an authority could not be made", e);
        }
    }

    /**
     * The one that was kept.
     *
     * @throws UnreadableException if these are not the certificate and the key of an authority
     */
    public static Authority of(PemPair pem) {
        List<X509Certificate> chain = Pem.certificates(pem.certificates());
        PrivateKey key = PrivateKeys.read(pem.key());
        X509Certificate certificate = chain.getFirst();
        checkThatItSigns(certificate);
        if (!PrivateKeys.belongTogether(key, certificate.getPublicKey())) {
            throw new UnreadableException("its key does not belong to its certificate");
        }
        return new Authority(chain, key);
    }

    /** Whether {@link #of} would succeed: a key that cannot be used is as good as lost. */
    public static boolean canSign(PemPair pem) {
        if (!pem.fits()) {
            return false;
        }
        try {
            checkThatItSigns(Pem.certificates(pem.certificates()).getFirst());
            return true;
        } catch (UnreadableException e) {
            return false;
        }
    }

    private static void checkThatItSigns(X509Certificate certificate) {
        CertificateView.ofAuthority(certificate);
        if (!PrivateKeys.signsCertificates(certificate.getPublicKey())) {
            throw new UnreadableException("its key is of a kind that signs no certificates here");
        }
    }

    public PemPair pem() {
        return new PemPair(Pem.text(chain), PrivateKeys.pem(key));
    }

    public CertificateView certificate() {
        return CertificateView.of(chain.getFirst());
    }

    /**
     * A certificate with a key of its own, which is valid from a little before now on: clocks differ. It never
     * outlives this authority. It may begin before it, which says nothing: both are looked at as of now.
     *
     * @throws IllegalStateException if this authority has ended
     */
    public PemPair issue(LeafRequest request, Instant now) {
        X509Certificate issuer = chain.getFirst();
        CertificateView mine = CertificateView.of(issuer);
        if (!now.isBefore(mine.notAfter())) {
            throw new IllegalStateException(
                    "the authority %s ended on %s".formatted(mine.commonName(), mine.notAfter()));
        }
        KeyPair pair = newKeyPair();
        var builder = builder(
                X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded()),
                now.minus(BACKDATED),
                earlier(now.plus(request.lifetime()), mine.notAfter()),
                name(request.commonName()),
                pair.getPublic());
        try {
            describe(builder, request, pair.getPublic(), issuer);
            List<X509Certificate> certificates = new ArrayList<>();
            certificates.add(signed(builder, key));
            // Those that others trust have them already.
            chain.stream().filter(certificate -> !isRoot(certificate)).forEach(certificates::add);
            return new PemPair(Pem.text(certificates), PrivateKeys.pem(pair.getPrivate()));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("a certificate could not be made for " + request.commonName(), e);
        }
    }

    private static void describe(
            X509v3CertificateBuilder builder, LeafRequest request, PublicKey subject, X509Certificate issuer)
            throws IOException, GeneralSecurityException {
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        builder.addExtension(Extension.extendedKeyUsage, false, usages(request));
        builder.addExtension(Extension.subjectKeyIdentifier, false, keyId(subject));
        builder.addExtension(Extension.authorityKeyIdentifier, false, issuerKeyId(issuer));
        GeneralName[] names = names(request);
        if (names.length > 0) {
            builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
        }
    }

    private static ExtendedKeyUsage usages(LeafRequest request) {
        return new ExtendedKeyUsage(request.usages().stream()
                .sorted()
                .map(usage -> KeyPurposeId.getInstance(new ASN1ObjectIdentifier(usage.oid())))
                .toArray(KeyPurposeId[]::new));
    }

    private static GeneralName[] names(LeafRequest request) {
        return Stream.concat(
                        request.dnsNames().stream().sorted().map(name -> new GeneralName(GeneralName.dNSName, name)),
                        request.addresses().stream()
                                .sorted()
                                .map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toArray(GeneralName[]::new);
    }

    private static SubjectKeyIdentifier keyId(PublicKey key) throws GeneralSecurityException {
        return new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key);
    }

    /** As the issuer's certificate says it, however that was computed. */
    private static AuthorityKeyIdentifier issuerKeyId(X509Certificate issuer) throws GeneralSecurityException {
        byte[] computed = keyId(issuer.getPublicKey()).getKeyIdentifier();
        return new AuthorityKeyIdentifier(
                KeyId.of(issuer).map(HexFormat.of()::parseHex).orElse(computed));
    }

    @SuppressWarnings("JavaUtilDate") // what the builder takes
    private static X509v3CertificateBuilder builder(
            X500Name issuer, Instant notBefore, Instant notAfter, X500Name subject, PublicKey key) {
        return new X509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM),
                new Time(Date.from(notBefore)),
                new Time(Date.from(notAfter)),
                subject,
                SubjectPublicKeyInfo.getInstance(key.getEncoded()));
    }

    private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey by)
            throws GeneralSecurityException {
        try {
            var signer = new JcaContentSignerBuilder(PrivateKeys.signatureAlgorithm(by)).build(by);
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static KeyPair newKeyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has the curve P-256", e);
        }
    }

    private static X500Name name(String commonName) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, commonName)
                .build();
    }

    private static boolean isRoot(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "Authority[" + certificate().commonName() + "]";
    }
}
