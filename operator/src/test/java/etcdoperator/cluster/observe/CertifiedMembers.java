package etcdoperator.cluster.observe;

import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.manifest.Transports;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Peers and pods of a cluster with TLS, and what its members were seen to show. */
final class CertifiedMembers {
    private CertifiedMembers() {}

    static PeerView peer(String name, TlsSetup tls, String settings) {
        return new PeerView(
                PeerName.parse(name),
                PeerView.Owner.THIS_CLUSTER,
                false,
                name,
                Start.ON_DATA,
                Start.ON_DATA,
                Set.of(name),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new PeerView.Setup(EtcdVersion.parse("3.6.16"), settings, settings, Optional.empty(), tls));
    }

    static PodView pod(PeerView peer, TlsSetup tls) {
        return pod(peer, Transports.of(tls));
    }

    static PodView pod(PeerView peer, Transport transport) {
        return new PodView(
                peer.name() + "-pod",
                peer.name(),
                true,
                peer.claimName(),
                false,
                false,
                true,
                true,
                true,
                Start.ON_DATA,
                peer.setup().settings(),
                transport,
                Optional.of("10.0.0." + (peer.name().ordinal() + 1)),
                Optional.of("node-1"),
                Optional.empty());
    }

    /** What is known once each of the three peers was seen to show this. */
    static Chores sight(Instant at, Chores.Issuers issuers) {
        return Chores.none(Certified.NOW)
                .withSight(new Chores.Sight(
                        at,
                        Map.of(
                                PeerName.parse("c-0"), issuers,
                                PeerName.parse("c-1"), issuers,
                                PeerName.parse("c-2"), issuers)));
    }

    static PodView leaving(PodView pod) {
        return new PodView(
                pod.name(),
                pod.peer(),
                pod.ofLivingPeer(),
                pod.claimName(),
                true,
                false,
                pod.ready(),
                pod.serving(),
                pod.hasRun(),
                pod.start(),
                pod.settings(),
                pod.transport(),
                pod.address(),
                pod.node(),
                pod.problem());
    }
}
