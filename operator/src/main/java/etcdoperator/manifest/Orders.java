package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSpec.IssuerRef;
import etcdoperator.certmanager.Certificate;
import etcdoperator.certmanager.CertificateSpec;
import etcdoperator.certmanager.CertificateSpec.Issuer;
import etcdoperator.certmanager.CertificateSpec.PrivateKey;
import etcdoperator.certmanager.CertificateSpec.SecretTemplate;
import etcdoperator.domain.ClusterKey;
import etcdoperator.tls.LeafRequest;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Certificates of cert-manager, for a cluster whose certificates it makes. */
public final class Orders {
    private static final PrivateKey KEY = new PrivateKey("ECDSA", 256, "PKCS8", "Always");

    /** As early as the operator itself does it. */
    private static final int RENEWED_AT_LAST = 3;

    private static final String MADE_FOR = "cert-manager.io/certificate-name";

    private Orders() {}

    /** Whether cert-manager has made what is in the Secret. */
    public static boolean isFilled(Secret secret) {
        return Optional.ofNullable(secret.getMetadata().getAnnotations())
                .filter(annotations -> annotations.containsKey(MADE_FOR))
                .isPresent();
    }

    /** @param secret where it goes; the Certificate has the same name */
    public static Certificate of(EtcdCluster cluster, String secret, LeafRequest request, IssuerRef issuer) {
        ClusterKey key = Labels.keyOf(cluster);
        var certificate = new Certificate();
        certificate.setMetadata(new ObjectMetaBuilder()
                .withNamespace(key.namespace())
                .withName(secret)
                .withLabels(Labels.ofCluster(key))
                .withOwnerReferences(Owned.by(cluster))
                .build());
        certificate.setSpec(new CertificateSpec(
                secret,
                new SecretTemplate(Labels.ofCluster(key)),
                request.commonName(),
                sorted(request.dnsNames()),
                sorted(request.addresses()),
                request.usages().stream()
                        .map(usage -> switch (usage) {
                            case SERVER -> "server auth";
                            case CLIENT -> "client auth";
                        })
                        .sorted()
                        .toList(),
                written(request.lifetime()),
                written(request.lifetime().dividedBy(RENEWED_AT_LAST)),
                KEY,
                new Issuer(
                        issuer.name(),
                        Objects.requireNonNullElse(issuer.kind(), "Issuer"),
                        Objects.requireNonNullElse(issuer.group(), "cert-manager.io"))));
        return certificate;
    }

    /** As Go writes it, and so as the API server gives it back. */
    private static String written(Duration duration) {
        return "%dh%dm%ds".formatted(duration.toHours(), duration.toMinutesPart(), duration.toSecondsPart());
    }

    private static List<String> sorted(Collection<String> all) {
        return all.stream().sorted().toList();
    }
}
