package etcdoperator.cluster.tls;

import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Orders;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.Authority;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.Inspection;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.SecretKeys;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.TrustBundle;
import etcdoperator.tls.UnreadableException;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A Secret with a certificate, as one side of a cluster uses it. */
public record SecretView(Secret secret, Side side) {
    /** Renewed with a third of its time left: a long time for people to notice that it does not work. */
    private static final int PARTS = 3;

    /** Where its parts are, if all of them are there and can be read. */
    Optional<SecretFiles> files() {
        return keys().flatMap(found -> trust(found)
                .map(trust -> new SecretFiles(
                        secret.getMetadata().getName(),
                        found.certificate(),
                        found.key(),
                        found.trust(),
                        trust.hash())));
    }

    /** What is wrong with it, in words that fit behind its name. */
    Optional<String> complaint(Set<String> names, Set<Usage> usages, Instant now) {
        return switch (SecretKeys.of(present(), side)) {
            case SecretKeys.Missing missing -> Optional.of("has no " + String.join(", ", missing.keys()));
            case SecretKeys.Found found ->
                new Inspection(
                                found,
                                new PemPair(text(found.certificate()), text(found.key())),
                                text(found.trust()),
                                names,
                                usages,
                                now)
                        .complaint();
        };
    }

    /** Whether another certificate has to be made, and not only because of the time. */
    public boolean differs(LeafRequest wanted, AuthorityView authority) {
        return certificate().filter(has -> matches(has, wanted, authority)).isEmpty()
                || !trusts(authority)
                || !isKeyed();
    }

    /** Whether it has the key of its certificate. */
    public boolean isKeyed() {
        return pair().filter(PemPair::fits).isPresent();
    }

    /** Certificate and key, as they are written. */
    public Optional<PemPair> pair() {
        return keys().map(found -> new PemPair(text(found.certificate()), text(found.key())));
    }

    public Optional<TrustBundle> trusted() {
        return keys().flatMap(this::trust);
    }

    /** Whom it says to trust, if that can be an authority. */
    public Optional<String> trustedAuthority() {
        return keys().filter(found -> trust(found).isPresent())
                .map(found -> text(found.trust()))
                .filter(SecretView::isAuthority);
    }

    private static boolean isAuthority(String readable) {
        return CertificateView.of(readable).isCa();
    }

    /** Whether it says to trust what is to be trusted now, no less and no more. */
    public boolean trusts(AuthorityView authority) {
        return trusted().filter(trust -> trust.equals(authority.trusted())).isPresent();
    }

    /** Whether one has signed it that is still good, that it says to trust, and that this authority knows nothing of. */
    boolean isOfAnother(AuthorityView authority, Instant now) {
        return trustedAuthority().map(TrustBundle::of).orElse(TrustBundle.empty()).certificates().stream()
                .filter(one ->
                        now.isBefore(one.notAfter()) && !authority.trusted().contains(one.fingerprint()))
                .anyMatch(one ->
                        certificate().filter(has -> has.namesAsIssuer(one)).isPresent());
    }

    public static boolean matches(CertificateView has, LeafRequest wanted, AuthorityView authority) {
        return has.namesAsIssuer(authority.signs())
                && has.commonName().equals(wanted.commonName())
                && has.dnsNames().equals(wanted.dnsNames())
                && has.addresses().equals(wanted.addresses())
                && has.usages().equals(wanted.usages());
    }

    /** When it is time for the next one. */
    public Instant renewal(Duration lifetime) {
        return certificate().map(has -> renewal(has, lifetime)).orElse(Instant.EPOCH);
    }

    /** Whether nothing in it has to be made anew. */
    public boolean stays(LeafRequest wanted, AuthorityView authority, Instant now) {
        return !differs(wanted, authority) && !isDue(wanted.lifetime(), now);
    }

    /** Also one that is not valid yet: the clock by which it was made was ahead. */
    public boolean isDue(Duration lifetime, Instant now) {
        return certificate()
                .filter(has -> !now.isBefore(has.notBefore()) && now.isBefore(renewal(has, lifetime)))
                .isEmpty();
    }

    /**
     * Counted from the end, because the beginning is backdated. Where a shorter life is wanted by now, that of the one
     * there is counts no longer.
     */
    static Instant renewal(CertificateView certificate, Duration wanted) {
        Instant made = certificate.notBefore().plus(Authority.BACKDATED);
        Instant end = Collections.min(List.of(certificate.notAfter(), made.plus(wanted)));
        Duration lasts = Duration.between(made, end);
        return lasts.isNegative() ? end : end.minus(lasts.dividedBy(PARTS));
    }

    public Optional<CertificateView> certificate() {
        return keys().flatMap(found -> {
            try {
                return Optional.of(CertificateView.of(text(found.certificate())));
            } catch (UnreadableException e) {
                return Optional.empty();
            }
        });
    }

    private Optional<SecretKeys.Found> keys() {
        return SecretKeys.of(present(), side) instanceof SecretKeys.Found found ? Optional.of(found) : Optional.empty();
    }

    private Optional<TrustBundle> trust(SecretKeys.Found found) {
        try {
            return Optional.of(TrustBundle.of(text(found.trust())));
        } catch (UnreadableException e) {
            return Optional.empty();
        }
    }

    private Set<String> present() {
        return Optional.ofNullable(secret.getData()).map(Map::keySet).orElse(Set.of());
    }

    private String text(String key) {
        return TlsSecrets.text(secret, key).orElse("");
    }

    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "SecretView[" + secret.getMetadata().getName() + "]";
    }

    /**
     * Whom the operator's own Secrets say to trust: what others make is signed by others. All of them, for one that is no
     * longer in use may be older than what members show by now.
     */
    public static Optional<TrustBundle> remembered(ClusterObjects objects) {
        ClusterKey key = Labels.keyOf(objects.cluster());
        return Stream.of(TlsSecrets.server(key), TlsSecrets.peer(key), TlsSecrets.client(key), TlsSecrets.operator(key))
                .flatMap(name -> ClusterObjects.find(objects.secrets(), name).stream())
                .filter(secret -> !Orders.isFilled(secret))
                .flatMap(secret -> new SecretView(secret, Side.SERVER).trustedAuthority().stream())
                .map(TrustBundle::of)
                .reduce(TrustBundle::plus);
    }
}
