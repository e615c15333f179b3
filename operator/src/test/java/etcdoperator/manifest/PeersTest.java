package etcdoperator.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.PeerSettings;
import etcdoperator.api.TlsSetup;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final PeerName PEER = PeerName.parse("c-1");

    private final EtcdCluster cluster = Given.clusterOf("3.7.0-rc.0");
    private final EtcdVersion version = EtcdVersion.parse("3.7.0-rc.0");
    private final Peers peers = new Peers(cluster, TlsSetup.NONE);

    /** Without its suffix it would be another image, and be rolled to this one as soon as it runs. */
    @Test
    void aPrereleaseIsStartedAsItIsAskedFor() {
        assertAsAskedFor(Given.founder(cluster));
        assertAsAskedFor(peers.existing(PEER, "c-1", version));
        assertAsAskedFor(peers.joining(PEER, "c-1", new TreeMap<>(Map.of("c-1", PEER)), Set.of(), version));
    }

    private void assertAsAskedFor(EtcdPeer peer) {
        assertThat(peer.getSpec().version()).isEqualTo("3.7.0-rc.0");
        assertThat(peer.getSpec().image().reference()).isEqualTo("quay.io/coreos/etcd:v3.7.0-rc.0");
        assertThat(PeerSettings.hashOf(peer.getSpec())).isEqualTo(peers.settings());
    }
}
