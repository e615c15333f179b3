package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.Secret;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.TlsSpec;
import io.improbable.etcd.api.TlsSpec.CertManagerCertificates;
import io.improbable.etcd.api.TlsSpec.ClientTls;
import io.improbable.etcd.api.TlsSpec.IssuerRef;
import io.improbable.etcd.api.TlsSpec.PeerTls;
import io.improbable.etcd.certmanager.Certificate;
import io.improbable.etcd.certmanager.CertificateStatus;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.kube.Drift;
import io.improbable.etcd.manifest.Orders;
import io.improbable.etcd.tls.LeafRequest;
import io.improbable.etcd.tls.SecretKeys.Side;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** What cert-manager is asked for, and what has come of it. Pure. */
final class CertificateOrders {
    private final ClusterObjects objects;
    private final List<Issuance.Order> orders;

    CertificateOrders(ClusterObjects objects, CertificateNeeds needs) {
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
    List<Issuance> due() {
        return orders.stream()
                .filter(order -> placed(objects, order)
                        .filter(placed -> !Drift.between(certificate(objects.cluster(), order), placed))
                        .isEmpty())
                .map(Issuance.class::cast)
                .toList();
    }

    /** The first of those that cannot be used yet, and what cert-manager says of it. */
    Optional<String> outstanding() {
        return orders.stream().flatMap(order -> outstanding(order).stream()).findFirst();
    }

    private Optional<String> outstanding(Issuance.Order order) {
        Optional<Secret> secret = Scene.find(objects.secrets(), order.secret());
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

    static Optional<Certificate> placed(ClusterObjects objects, Issuance.Order order) {
        return objects.support().stream()
                .filter(Certificate.class::isInstance)
                .map(Certificate.class::cast)
                .filter(certificate -> certificate.getMetadata().getName().equals(order.secret()))
                .findFirst();
    }

    static Certificate certificate(EtcdCluster cluster, Issuance.Order order) {
        return Drift.stamped(Orders.of(cluster, order.secret(), order.request(), order.issuer()));
    }
}
