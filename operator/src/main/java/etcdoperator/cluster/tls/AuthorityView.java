package etcdoperator.cluster.tls;

import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.Authority;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.TrustBundle;
import etcdoperator.tls.UnreadableException;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The authority of a cluster, and where it is in its life. Its keys are no part of this.
 *
 * @param signs the one that signs
 * @param next trusted already, and signs soon
 * @param previous still trusted, and signs no more
 * @param since when the last of these came or went
 * @param keyed whether its key is there and can be used; without it nothing more is signed until the next one does
 * @param nextKeyed the same of the next one; without it that one never signs
 * @param rotated the last wish for another authority that was met
 */
public record AuthorityView(
        CertificateView signs,
        Optional<CertificateView> next,
        Optional<CertificateView> previous,
        TrustBundle trusted,
        Instant since,
        boolean keyed,
        boolean nextKeyed,
        Optional<String> rotated) {

    /** @throws UnreadableException if the Secret does not hold what the operator has put there */
    public static AuthorityView of(Secret secret) {
        String signs = TlsSecrets.text(secret, TlsSecrets.CERTIFICATE).orElse("");
        Optional<String> next = TlsSecrets.text(secret, TlsSecrets.NEXT_CERTIFICATE);
        Optional<String> previous = TlsSecrets.text(secret, TlsSecrets.PREVIOUS_CERTIFICATE);
        TrustBundle trusted = TrustBundle.of(signs);
        for (Optional<String> other : List.of(next, previous)) {
            trusted = other.map(TrustBundle::of).orElse(TrustBundle.empty()).plus(trusted);
        }
        Map<String, String> annotations =
                Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.of());
        return new AuthorityView(
                CertificateView.ofAuthority(signs),
                next.map(CertificateView::ofAuthority),
                previous.map(CertificateView::ofAuthority),
                trusted,
                TlsSecrets.since(secret),
                canSign(signs, TlsSecrets.text(secret, TlsSecrets.KEY)),
                canSign(next.orElse(""), TlsSecrets.text(secret, TlsSecrets.NEXT_KEY)),
                Optional.ofNullable(annotations.get(TlsSecrets.ROTATED)));
    }

    private static boolean canSign(String certificate, Optional<String> key) {
        return Authority.canSign(new PemPair(certificate, key.orElse("")));
    }
}
