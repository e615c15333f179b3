package etcdoperator.cluster.view;

import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.api.TlsSpec.SecretCertificates;
import etcdoperator.domain.ClusterKey;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.SecretKeys.Side;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * From where one side has certificates that others make.
 *
 * @param secret where they put them
 * @param mounted from where members read them
 */
public record Source(String secret, Side side, String mounted) {

    public static Optional<Source> toClients(TlsSpec spec, ClusterKey key) {
        Optional<ClientTls> client = Optional.ofNullable(spec.client());
        return client.map(ClientTls::secret)
                .map(SecretCertificates::name)
                .or(() -> client.map(ClientTls::certManager).map(ordered -> TlsSecrets.server(key)))
                .map(secret -> new Source(secret, Side.SERVER, TlsSecrets.mountedServer(key)));
    }

    public static Optional<Source> betweenMembers(TlsSpec spec, ClusterKey key) {
        Optional<PeerTls> peer = Optional.ofNullable(spec.peer());
        return peer.map(PeerTls::secret)
                .map(SecretCertificates::name)
                .or(() -> peer.map(PeerTls::certManager).map(ordered -> TlsSecrets.peer(key)))
                .map(secret -> new Source(secret, Side.PEER, TlsSecrets.mountedPeer(key)));
    }

    public static Stream<Source> of(TlsSpec spec, ClusterKey key) {
        return Stream.concat(toClients(spec, key).stream(), betweenMembers(spec, key).stream());
    }
}
