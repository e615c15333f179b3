package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.CertManagerCertificates;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.IssuerRef;
import etcdoperator.api.TlsSpec.PeerTls;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** By what two clusters are found to trust one certificate authority: the issuer that both name, or the authority's key. */
public final class AuthorityMarks {
    private AuthorityMarks() {}

    public static Set<String> of(EtcdCluster cluster) {
        List<String> keys = Optional.ofNullable(cluster.getStatus())
                .map(EtcdClusterStatus::trustedAuthorities)
                .orElse(List.of());
        return Stream.concat(issuers(cluster).stream(), ofKeys(keys).stream()).collect(Collectors.toUnmodifiableSet());
    }

    public static Set<String> issuers(EtcdCluster cluster) {
        return Stream.concat(ofClients(cluster).stream(), betweenMembers(cluster).stream())
                .map(issuer -> ofIssuer(cluster, issuer))
                .collect(Collectors.toUnmodifiableSet());
    }

    public static Optional<IssuerRef> ofClients(EtcdCluster cluster) {
        return tls(cluster)
                .flatMap(tls -> Optional.ofNullable(tls.client()))
                .map(ClientTls::certManager)
                .map(CertManagerCertificates::issuerRef);
    }

    private static Optional<IssuerRef> betweenMembers(EtcdCluster cluster) {
        return tls(cluster)
                .flatMap(tls -> Optional.ofNullable(tls.peer()))
                .map(PeerTls::certManager)
                .map(CertManagerCertificates::issuerRef);
    }

    private static Optional<TlsSpec> tls(EtcdCluster cluster) {
        return Optional.ofNullable(cluster.getSpec()).map(EtcdClusterSpec::tls);
    }

    /** @param cluster who names it: an Issuer is one of its namespace */
    public static String ofIssuer(EtcdCluster cluster, IssuerRef issuer) {
        return String.join(
                " ",
                "issuer",
                Objects.requireNonNullElse(issuer.group(), "cert-manager.io"),
                Objects.requireNonNullElse(issuer.kind(), "Issuer"),
                isClusterWide(issuer) ? "" : cluster.getMetadata().getNamespace(),
                issuer.name());
    }

    /** By convention, the kinds of issuers that every namespace may use say so: ClusterIssuer, AWSPCAClusterIssuer. */
    public static boolean isClusterWide(IssuerRef issuer) {
        return issuer.kind() != null && issuer.kind().contains("Cluster");
    }

    /** @param keys as {@code tls.TrustBundle} has them */
    public static Set<String> ofKeys(Collection<String> keys) {
        return keys.stream().map(key -> "key " + key).collect(Collectors.toUnmodifiableSet());
    }
}
