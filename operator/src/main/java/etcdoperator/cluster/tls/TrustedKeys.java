package etcdoperator.cluster.tls;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.ClientSide;
import etcdoperator.api.TlsSetup.PeerSide;
import etcdoperator.api.TlsSetup.SecretFiles;
import etcdoperator.cluster.view.Source;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Orders;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.TrustBundle;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The keys of the authorities that a cluster's Secrets say to trust. Pure. */
final class TrustedKeys {
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final ClusterKey key;

    TrustedKeys(ClusterObjects objects) {
        this.objects = objects;
        this.cluster = objects.cluster();
        this.key = Labels.keyOf(cluster);
    }

    /** What members mount or are about to. While a Secret is not seen, what was known of it before still counts. */
    List<String> mounted() {
        Set<String> used = objects.peers().stream()
                .map(peer -> peer.getSpec().tlsOrNone())
                .flatMap(TrustedKeys::files)
                .map(SecretFiles::name)
                .collect(Collectors.toSet());
        boolean unseen = used.isEmpty() || used.stream().anyMatch(name -> in(name, Side.SERVER).isEmpty());
        Set<String> all = Stream.concat(
                        used.stream(),
                        TlsSecrets.mounted(key).stream().filter(name -> !isOfCertManager(name)))
                .collect(Collectors.toSet());
        return Stream.concat(
                        all.stream().flatMap(name -> in(name, Side.SERVER).stream()),
                        unseen ? before().stream() : Stream.<String>empty())
                .distinct()
                .sorted()
                .toList();
    }

    /** Members mount a copy of it, which is made only if they may trust what is in it. */
    private boolean isOfCertManager(String secret) {
        return ClusterObjects.find(objects.secrets(), secret)
                .filter(Orders::isFilled)
                .isPresent();
    }

    private List<String> before() {
        return Optional.ofNullable(cluster.getStatus())
                .map(EtcdClusterStatus::trustedAuthorities)
                .orElse(List.of());
    }

    /** What others have put there. */
    Set<String> given(Source source) {
        return in(source.secret(), source.side());
    }

    private Set<String> in(String secret, Side side) {
        return ClusterObjects.find(objects.secrets(), secret)
                .flatMap(found -> new SecretView(found, side).trusted())
                .map(TrustBundle::keys)
                .orElse(Set.of());
    }

    private static Stream<SecretFiles> files(TlsSetup tls) {
        return Stream.concat(
                Stream.ofNullable(tls.client()).map(ClientSide::files),
                Stream.ofNullable(tls.peer()).map(PeerSide::files));
    }
}
