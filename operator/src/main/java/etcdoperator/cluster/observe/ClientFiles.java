package etcdoperator.cluster.observe;

import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.cluster.view.Source;
import etcdoperator.domain.ClusterKey;
import etcdoperator.etcd.TlsMaterial;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.SecretKeys;
import etcdoperator.tls.SecretKeys.Found;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.TrustBundle;
import etcdoperator.tls.UnreadableException;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the operator, and an agent in its name, shows to members that want TLS.
 *
 * @param pair the Secret with certificate and key, and where they are in it
 * @param trust the Secret with those whom members' certificates are signed by; often the same
 */
public record ClientFiles(String pair, Found pairKeys, String trust, Found trustKeys, TlsMaterial material) {

    /** As the spec has it, or else as members on their way back to plaintext still have it. */
    public static Optional<ClientFiles> of(ClusterObjects objects) {
        ClusterKey key = Labels.keyOf(objects.cluster());
        TlsSpec spec = Objects.requireNonNullElse(objects.cluster().getSpec().tls(), TlsSpec.NONE);
        Optional<Source> others = Source.toClients(spec, key);
        if (others.isEmpty()) {
            return read(objects, TlsSecrets.operator(key), Side.CLIENT).or(() -> left(objects));
        }
        Optional<ClientFiles> own = read(objects, nameOfOwn(spec, key), Side.CLIENT);
        Optional<ClientFiles> mounted = read(objects, others.get().mounted(), Side.SERVER);
        return mounted.map(shown -> own.filter(one -> isOfTheSame(one, shown))
                        .map(one -> one.trusting(shown))
                        .orElse(shown))
                .or(() -> own)
                .or(() -> read(objects, others.get().secret(), Side.SERVER));
    }

    private ClientFiles trusting(ClientFiles shown) {
        return new ClientFiles(
                pair,
                pairKeys,
                shown.trust,
                shown.trustKeys,
                new TlsMaterial(
                        shown.material.trustedCertificates(), material.certificateChain(), material.privateKey()));
    }

    private static String nameOfOwn(TlsSpec spec, ClusterKey key) {
        return Optional.ofNullable(spec.client())
                .map(ClientTls::secret)
                .map(TlsSpec.SecretCertificates::clientName)
                .orElse(TlsSecrets.operator(key));
    }

    /** Members trust whoever signed what they show; another one that signs for clients by now, perhaps not yet. */
    private static boolean isOfTheSame(ClientFiles one, ClientFiles shown) {
        Optional<String> signer =
                CertificateView.of(one.material.certificateChain()).issuerKeyId();
        return signer.isPresent()
                && signer.equals(
                        CertificateView.of(shown.material.certificateChain()).issuerKeyId());
    }

    private static Optional<ClientFiles> left(ClusterObjects objects) {
        return objects.peers().stream()
                .flatMap(peer -> Stream.ofNullable(peer.getSpec().tlsOrNone().client()))
                .flatMap(side -> read(objects, side.files().name(), Side.SERVER).stream())
                .findFirst();
    }

    private static Optional<ClientFiles> read(ClusterObjects objects, String name, Side side) {
        return ClusterObjects.find(objects.secrets(), name).flatMap(secret -> read(secret, side));
    }

    private static Optional<ClientFiles> read(Secret secret, Side side) {
        Set<String> keys =
                Optional.ofNullable(secret.getData()).map(Map::keySet).orElse(Set.of());
        if (!(SecretKeys.of(keys, side) instanceof Found found)) {
            return Optional.empty();
        }
        try {
            PemPair pair = new PemPair(text(secret, found.certificate()), text(secret, found.key())).forJava();
            String trusted = TrustBundle.of(text(secret, found.trust())).text();
            String name = secret.getMetadata().getName();
            return Optional.of(new ClientFiles(
                    name, found, name, found, new TlsMaterial(trusted, pair.certificates(), pair.key())));
        } catch (UnreadableException e) {
            return Optional.empty();
        }
    }

    private static String text(Secret secret, String key) {
        return TlsSecrets.text(secret, key).orElse("");
    }
}
