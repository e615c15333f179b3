package etcdoperator.cluster.execute;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSpec;
import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.tls.CertificateOrders;
import etcdoperator.cluster.tls.SecretView;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Kube;
import etcdoperator.kube.Kube.RefusedException;
import etcdoperator.kube.Kube.StaleViewException;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.Authority;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.TrustBundle;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Makes the Secrets that an issuance asks for. Each is new, or changes one that was read before. */
public final class CertificateOffice {
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final TlsSpec spec;
    private final Instant now;

    public CertificateOffice(ClusterObjects objects, Instant now) {
        this.objects = objects;
        this.cluster = objects.cluster();
        this.spec = Objects.requireNonNullElse(cluster.getSpec().tls(), TlsSpec.NONE);
        this.now = now;
    }

    public void carryOut(Issuance issuance, Kube kube) throws StaleViewException, RefusedException {
        switch (issuance) {
            case Issuance.Authority authority -> store(issue(authority), kube);
            case Issuance.Leaf leaf -> store(issue(leaf), kube);
            case Issuance.Copy copy -> store(issue(copy), kube);
            case Issuance.Order order -> place(order, kube);
        }
    }

    public Secret issue(Issuance.Made issuance) {
        Secret made = switch (issuance) {
            case Issuance.Authority authority -> authority(authority);
            case Issuance.Leaf leaf -> leaf(leaf);
            case Issuance.Copy copy -> copy(copy);
        };
        present(issuance.secret()).ifPresent(stored -> SecretReplacement.of(stored, made, cluster));
        return made;
    }

    private void store(Secret made, Kube kube) throws StaleViewException, RefusedException {
        if (present(made.getMetadata().getName()).isPresent()) {
            kube.replace(made);
        } else {
            kube.create(made);
        }
    }

    private void place(Issuance.Order order, Kube kube) throws StaleViewException, RefusedException {
        var certificate = CertificateOrders.certificate(cluster, order);
        if (CertificateOrders.placed(objects, order).isPresent()) {
            kube.apply(certificate);
        } else {
            kube.create(certificate);
        }
    }

    private Optional<Secret> present(String name) {
        return ClusterObjects.find(objects.secrets(), name);
    }

    private Secret authority(Issuance.Authority issuance) {
        Map<String, String> texts = new HashMap<>();
        switch (issuance.turn()) {
            case BEGIN -> put(texts, TlsSecrets.CERTIFICATE, TlsSecrets.KEY, newAuthority());
            case RESCUE -> {
                texts.put(
                        TlsSecrets.CERTIFICATE,
                        SecretView.remembered(objects).orElseThrow().text());
                put(texts, TlsSecrets.NEXT_CERTIFICATE, TlsSecrets.NEXT_KEY, newAuthority());
            }
            case YIELD -> {
                texts.put(
                        TlsSecrets.CERTIFICATE,
                        SecretView.remembered(objects).orElseThrow().text());
                copy(texts, TlsSecrets.CERTIFICATE, TlsSecrets.NEXT_CERTIFICATE);
                copy(texts, TlsSecrets.KEY, TlsSecrets.NEXT_KEY);
            }
            case INTRODUCE -> {
                // Where a key was lost on the way from one to the next, leaves of both are still in use.
                texts.put(TlsSecrets.CERTIFICATE, signs() + previous());
                copy(texts, TlsSecrets.KEY, TlsSecrets.KEY);
                put(texts, TlsSecrets.NEXT_CERTIFICATE, TlsSecrets.NEXT_KEY, newAuthority());
            }
            case SUCCEED -> {
                copy(texts, TlsSecrets.NEXT_CERTIFICATE, TlsSecrets.CERTIFICATE);
                copy(texts, TlsSecrets.NEXT_KEY, TlsSecrets.KEY);
                copy(texts, TlsSecrets.CERTIFICATE, TlsSecrets.PREVIOUS_CERTIFICATE);
            }
            case RETIRE -> {
                copy(texts, TlsSecrets.CERTIFICATE, TlsSecrets.CERTIFICATE);
                copy(texts, TlsSecrets.KEY, TlsSecrets.KEY);
            }
        }
        return TlsSecrets.ofAuthority(cluster, texts, annotations());
    }

    /** A wish is met by whatever authority comes next. */
    private Map<String, String> annotations() {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(TlsSecrets.SINCE, now.toString());
        Optional.ofNullable(cluster.getMetadata().getAnnotations())
                .map(all -> all.get(TlsSecrets.ROTATE))
                .ifPresent(wish -> annotations.put(TlsSecrets.ROTATED, wish));
        return annotations;
    }

    private PemPair newAuthority() {
        return Authority.create(
                        cluster.getMetadata().getName() + " etcd",
                        spec.lifetimes().caLifetimeOrDefault(),
                        now)
                .pem();
    }

    private String signs() {
        return TlsSecrets.text(authority(), TlsSecrets.CERTIFICATE).orElse("");
    }

    private String previous() {
        return TlsSecrets.text(authority(), TlsSecrets.PREVIOUS_CERTIFICATE)
                .map(text -> "\n" + text)
                .orElse("");
    }

    private static void put(Map<String, String> texts, String certificate, String key, PemPair pair) {
        texts.put(certificate, pair.certificates());
        texts.put(key, pair.key());
    }

    private void copy(Map<String, String> texts, String from, String to) {
        TlsSecrets.text(authority(), from).ifPresent(text -> texts.put(to, text));
    }

    private Secret authority() {
        return ClusterObjects.find(objects.secrets(), TlsSecrets.authority(Labels.keyOf(cluster)))
                .orElseThrow();
    }

    /** Where only the trust has changed, or nobody can sign, certificate and key stay. */
    private Secret leaf(Issuance.Leaf issuance) {
        AuthorityView view = AuthorityView.of(authority());
        PemPair pair = present(issuance.secret())
                .filter(secret -> !view.keyed() || isGood(secret, issuance.request(), view))
                .map(CertificateOffice::pair)
                .orElseGet(() -> Authority.of(pair(authority())).issue(issuance.request(), now));
        return TlsSecrets.ofLeaf(
                cluster,
                issuance.secret(),
                pair.certificates(),
                pair.key(),
                view.trusted().text());
    }

    private Secret copy(Issuance.Copy issuance) {
        var from = new SecretView(
                present(issuance.source().secret()).orElseThrow(),
                issuance.source().side());
        SecretView to = present(issuance.secret())
                .map(secret -> new SecretView(secret, Side.SERVER))
                .orElse(from);
        PemPair pair =
                (issuance.part() == Issuance.Part.TRUST ? to : from).pair().orElseThrow();
        TrustBundle wanted = from.trusted().orElseThrow();
        TrustBundle trusted = issuance.part() == Issuance.Part.ALL
                ? wanted
                : to.trusted().orElseThrow().plus(wanted);
        return TlsSecrets.ofCopy(
                cluster,
                issuance.secret(),
                Map.of(
                        TlsSecrets.CERTIFICATE, pair.certificates(),
                        TlsSecrets.KEY, pair.key(),
                        TlsSecrets.TRUSTED, trusted.text()),
                Map.of(TlsSecrets.SINCE, now.toString()));
    }

    private boolean isGood(Secret secret, LeafRequest request, AuthorityView authority) {
        var leaf = new SecretView(secret, Side.SERVER);
        return leaf.certificate()
                        .filter(has -> SecretView.matches(has, request, authority))
                        .isPresent()
                && leaf.isKeyed()
                && !leaf.isDue(request.lifetime(), now);
    }

    private static PemPair pair(Secret secret) {
        return new PemPair(
                TlsSecrets.text(secret, TlsSecrets.CERTIFICATE).orElse(""),
                TlsSecrets.text(secret, TlsSecrets.KEY).orElse(""));
    }
}
