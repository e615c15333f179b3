package etcdoperator.cluster.tls;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.CertManagerCertificates;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.IssuerRef;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.certmanager.Certificate;
import etcdoperator.certmanager.CertificateStatus;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Drift;
import etcdoperator.manifest.Orders;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.SecretKeys.Side;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What cert-manager is asked for, and what has come of it. Pure. */
public final class CertificateOrders {
    private final ClusterObjects objects;
    private final List<Issuance.Order> orders;

    public CertificateOrders(ClusterObjects objects, CertificateNeeds needs) {
        TlsSpec spec = Objects.requireNonNullElse(objects.cluster().getSpec().tls(), TlsSpec.NONE);
        this.objects = objects;
        this.orders = Stream.concat(
                        orders(Optional.ofNullable(spec.client()).map(ClientTls::certManager), needs.ofClients()),
                        orders(Optional.ofNullable(spec.peer()).map(PeerTls::certManager), needs.ofPeers()))
                .toList();
    }

    private static Stream<Issuance.Order> orders(
            Optional<CertManagerCertificates> source, Map<String, LeafRequest> needs) {
        return source.map(CertManagerCertificates::issuerRef).stream().flatMap(issuer -> orders(issuer, needs));
    }

    private static Stream<Issuance.Order> orders(IssuerRef issuer, Map<String, LeafRequest> needs) {
        return needs.entrySet().stream().map(need -> new Issuance.Order(need.getKey(), need.getValue(), issuer));
    }

    /** Those that were not placed yet, or otherwise. */
    public List<Issuance> due() {
        return orders.stream()
                .filter(order -> placed(objects, order)
                        .filter(placed -> !Drift.between(certificate(objects.cluster(), order), placed))
                        .isEmpty())
                .map(Issuance.class::cast)
                .toList();
    }

    /** The first of those that cannot be used yet, and what cert-manager says of it. */
    public Optional<String> outstanding() {
        return orders.stream().flatMap(order -> outstanding(order).stream()).findFirst();
    }

    private Optional<String> outstanding(Issuance.Order order) {
        Optional<Secret> secret = ClusterObjects.find(objects.secrets(), order.secret());
        if (secret.isEmpty()) {
            return Optional.of("cert-manager has not made Secret %s yet: %s"
                    .formatted(
                            order.secret(),
                            placed(objects, order)
                                    .map(Certificate::getStatus)
                                    .flatMap(CertificateStatus::complaint)
                                    .orElse("its Certificate has no condition Ready; look at cert-manager's log")));
        }
        return new SecretView(secret.get(), Side.SERVER).files().isPresent()
                ? Optional.empty()
                : Optional.of(
                        "Secret %s, which cert-manager has made, has no readable tls.crt, tls.key and ca.crt; take an issuer that gives its own certificate, too, such as one of kind CA"
                                .formatted(order.secret()));
    }

    public static Optional<Certificate> placed(ClusterObjects objects, Issuance.Order order) {
        return objects.support().stream()
                .filter(Certificate.class::isInstance)
                .map(Certificate.class::cast)
                .filter(certificate -> certificate.getMetadata().getName().equals(order.secret()))
                .findFirst();
    }

    public static Certificate certificate(EtcdCluster cluster, Issuance.Order order) {
        return Drift.stamped(Orders.of(cluster, order.secret(), order.request(), order.issuer()));
    }
}
