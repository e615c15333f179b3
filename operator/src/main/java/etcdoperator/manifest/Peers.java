package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerSpec;
import etcdoperator.api.PeerBootstrap;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerBootstrap.InitialMember;
import etcdoperator.api.PeerSettings;
import etcdoperator.api.TlsSetup;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** EtcdPeers as a cluster's planner wants them. */
public final class Peers {
    private final EtcdCluster cluster;
    private final TlsSetup tls;

    /** @param tls how a peer that is made or renewed now speaks TLS */
    public Peers(EtcdCluster cluster, TlsSetup tls) {
        this.cluster = cluster;
        this.tls = tls;
    }

    /** @param version what its bootstrap began with, which need not be what the cluster asks for by now */
    public EtcdPeer founder(PeerName peer, List<PeerName> founders, String token, EtcdVersion version) {
        List<InitialMember> members = founders.stream()
                .map(founder -> member(founder, founder.toString(), Transports.between(tls)))
                .toList();
        return withVersion(
                peer(peer, peer.toString(), PeerBootstrap.of(members, InitialClusterState.NEW, token)), version);
    }

    /** The same on a claim on which no member was ever recognised. */
    public static EtcdPeer unrecognised(EtcdPeer peer) {
        peer.getMetadata().setAnnotations(Map.of(Labels.UNRECOGNISED, "true"));
        return peer;
    }

    /** As read, but of a member that was recognised. */
    public static EtcdPeer recognised(EtcdPeer peer) {
        var changed = new EtcdPeer();
        changed.setMetadata(peer.getMetadata()
                .edit()
                .removeFromAnnotations(Labels.UNRECOGNISED)
                .build());
        changed.setSpec(peer.getSpec());
        changed.setStatus(peer.getStatus());
        return changed;
    }

    private EtcdPeer withVersion(EtcdPeer made, EtcdVersion version) {
        made.setSpec(made.getSpec().withSettingsOf(settingsOf(version.toString())));
        return made;
    }

    /** A peer that starts on its data or not at all. */
    public EtcdPeer existing(PeerName peer, String claimName, EtcdVersion version) {
        return withVersion(peer(peer, claimName, startOnDataOnly(peer, claimName, Transports.between(tls))), version);
    }

    /**
     * A peer whose member was just added: it starts empty and learns from the others.
     *
     * @param members all of them by their claims, the new one too
     * @param overTls the claims whose members etcd lists with https, the new one too if it is
     * @param version what the others run, which need not be what the cluster asks for yet
     */
    public EtcdPeer joining(
            PeerName peer,
            String claimName,
            SortedMap<String, PeerName> members,
            Set<String> overTls,
            EtcdVersion version) {
        return withVersion(peer(peer, claimName, joinWith(members, overTls)), version);
    }

    /** With every member on the list, etcd starts on an empty volume, if it was added to them before. */
    private PeerBootstrap joinWith(SortedMap<String, PeerName> members, Set<String> overTls) {
        List<InitialMember> list = members.entrySet().stream()
                .map(member -> member(
                        member.getValue(),
                        member.getKey(),
                        overTls.contains(member.getKey()) ? Scheme.HTTPS : Scheme.HTTP))
                .toList();
        return PeerBootstrap.of(list, InitialClusterState.EXISTING, null);
    }

    /**
     * The peer with all that follows from the cluster and restarts nothing. Where it keeps its data, how it starts and
     * whether, is its own; what its pod runs is changed by a roll alone, one peer at a time.
     */
    public EtcdPeer asItShouldBe(EtcdPeer actual) {
        EtcdPeer desired = renewed(actual);
        desired.setSpec(desired.getSpec().withSettingsOf(actual.getSpec()));
        return desired;
    }

    /** The peer as the cluster asks for it now, settings and all. */
    public EtcdPeer renewed(EtcdPeer actual) {
        var name = PeerName.parse(actual.getMetadata().getName());
        EtcdPeer desired =
                peer(name, actual.getSpec().claimName(), actual.getSpec().bootstrap());
        desired.setSpec(desired.getSpec().withStopped(actual.getSpec().standsStill()));
        return desired;
    }

    /** What every pod of the cluster is to be made with. */
    public String settings() {
        return PeerSettings.hashOf(settingsOf(cluster.getSpec().version()));
    }

    private EtcdPeerSpec settingsOf(String version) {
        EtcdClusterSpec spec = cluster.getSpec();
        return new EtcdPeerSpec(
                cluster.getMetadata().getName(),
                version,
                spec.imageOrDefault().at(version),
                spec.storage(),
                spec.podTemplateWithAffinity(),
                spec.etcd(),
                tls.absent() ? null : tls,
                PeerBootstrap.of(List.of(), InitialClusterState.EXISTING, null),
                "",
                null);
    }

    /** With only itself to ask, etcd starts on its data and refuses an empty volume. */
    public PeerBootstrap startOnDataOnly(PeerName peer, String claimName, Scheme scheme) {
        return PeerBootstrap.of(List.of(member(peer, claimName, scheme)), InitialClusterState.EXISTING, null);
    }

    private EtcdPeer peer(PeerName name, String claimName, PeerBootstrap bootstrap) {
        var peer = new EtcdPeer();
        peer.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name.toString())
                .withLabels(Labels.ofPeer(Labels.keyOf(cluster), name))
                .withOwnerReferences(Owned.by(cluster))
                .build());
        peer.setSpec(
                settingsOf(cluster.getSpec().version()).withBootstrap(bootstrap).withClaimName(claimName));
        return peer;
    }

    private InitialMember member(PeerName peer, String claimName, Scheme scheme) {
        return new InitialMember(
                peer.toString(),
                Addresses.memberHost(Labels.keyOf(cluster), claimName),
                scheme == Scheme.HTTP ? null : scheme.word());
    }
}
