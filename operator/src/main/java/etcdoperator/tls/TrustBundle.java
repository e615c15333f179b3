package etcdoperator.tls;

import static java.util.Comparator.comparing;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The certificates that one side trusts: a set, in whatever order and however often they are written. */
public final class TrustBundle {
    /** Enough for two sets never to be taken for each other, short enough for a name or a label. */
    private static final int HASH_LENGTH = 12;

    /** The newest first: a reader that takes only one had better take that. */
    private static final Comparator<X509Certificate> NEWEST_FIRST =
            comparing(X509Certificate::getNotBefore).reversed().thenComparing(CertificateView::fingerprint);

    private final SortedMap<String, X509Certificate> byFingerprint = new TreeMap<>();

    /** Reads each as a whole: what is in here causes no surprise later. */
    private TrustBundle(Collection<X509Certificate> certificates) {
        certificates.forEach(
                certificate -> byFingerprint.put(CertificateView.of(certificate).fingerprint(), certificate));
    }

    /**
     * Every certificate of a PEM text.
     *
     * @throws UnreadableException if there is none, if one of them cannot be read, or if there is anything else: etcd
     *     would not start with it
     */
    public static TrustBundle of(String pem) {
        List<X509Certificate> certificates = Pem.certificates(pem);
        if (certificates.size() < Pem.blocks(pem).size()) {
            throw new UnreadableException("it holds something else beside certificates");
        }
        return new TrustBundle(certificates);
    }

    /** Trusts nobody. */
    public static TrustBundle empty() {
        return new TrustBundle(List.of());
    }

    public boolean contains(String fingerprint) {
        return byFingerprint.containsKey(fingerprint);
    }

    /** SHA-256 of each public key: an authority that is renewed with its key signs what was trusted before. */
    public Set<String> keys() {
        return byFingerprint.values().stream()
                .map(certificate ->
                        CertificateView.sha256(certificate.getPublicKey().getEncoded()))
                .collect(Collectors.toUnmodifiableSet());
    }

    public List<CertificateView> certificates() {
        return newestFirst().stream().map(CertificateView::of).toList();
    }

    public TrustBundle plus(TrustBundle other) {
        List<X509Certificate> both = new ArrayList<>(byFingerprint.values());
        both.addAll(other.byFingerprint.values());
        return new TrustBundle(both);
    }

    /** The same for the same set: whoever read the one has read the other. */
    public String hash() {
        String all = String.join(" ", byFingerprint.keySet());
        return CertificateView.sha256(all.getBytes(StandardCharsets.US_ASCII)).substring(0, HASH_LENGTH);
    }

    /** The same for the same set, so that it is written only when it differs. */
    public String text() {
        return Pem.text(newestFirst());
    }

    /**
     * Whether the first of these was issued by one that is trusted, by way of the others that follow it. As Go judges it,
     * and so etcd: a trusted certificate has to be within its time, too.
     */
    boolean issued(List<X509Certificate> chain, Instant at) {
        X509Certificate leaf = chain.getFirst();
        if (!CertificateView.of(leaf).isValidAt(at)) {
            return false;
        }
        return contains(CertificateView.fingerprint(leaf)) || leadsHere(leaf, chain, at);
    }

    @SuppressWarnings("JavaUtilDate") // what the validator takes
    private boolean leadsHere(X509Certificate leaf, List<X509Certificate> chain, Instant at) {
        Set<TrustAnchor> anchors = byFingerprint.values().stream()
                .filter(trusted -> CertificateView.of(trusted).isValidAt(at))
                .map(trusted -> new TrustAnchor(trusted, null))
                .collect(Collectors.toSet());
        if (anchors.isEmpty()) {
            return false;
        }
        try {
            X509CertSelector target = new X509CertSelector();
            target.setCertificate(leaf);
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(at));
            parameters.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
            CertPathBuilder.getInstance("PKIX").build(parameters);
            return true;
        } catch (GeneralSecurityException | RuntimeException e) {
            // Whatever a certificate is made to do to the validator, it has not been found to be good.
            return false;
        }
    }

    private List<X509Certificate> newestFirst() {
        return byFingerprint.values().stream().sorted(NEWEST_FIRST).toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TrustBundle that && byFingerprint.keySet().equals(that.byFingerprint.keySet());
    }

    @Override
    public int hashCode() {
        return byFingerprint.keySet().hashCode();
    }

    @Override
    public String toString() {
        return "TrustBundle[" + hash() + ", " + byFingerprint.size() + " certificates]";
    }
}
