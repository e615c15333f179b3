package io.improbable.etcd.manifest;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdPeerSpec;
import io.improbable.etcd.api.PeerBootstrap;
import io.improbable.etcd.api.PeerBootstrap.InitialClusterState;
import io.improbable.etcd.api.PeerBootstrap.InitialMember;
import io.improbable.etcd.domain.PeerName;
import java.util.List;
import java.util.SortedMap;

/** EtcdPeers as a cluster's planner wants them. */
public final class Peers {
    private Peers() {}

    public static EtcdPeer founder(EtcdCluster cluster, PeerName peer, List<PeerName> founders, String token) {
        List<InitialMember> members = founders.stream()
                .map(founder -> member(cluster, founder, founder.toString()))
                .toList();
        return peer(cluster, peer, peer.toString(), PeerBootstrap.of(members, InitialClusterState.NEW, token));
    }

    /** A peer that starts on its data or not at all. */
    public static EtcdPeer existing(EtcdCluster cluster, PeerName peer, String claimName) {
        return peer(cluster, peer, claimName, startOnDataOnly(cluster, peer, claimName));
    }

    /**
     * A peer whose member was just added: it starts empty and learns from the others.
     *
     * @param claims of all members, its own too
     */
    public static EtcdPeer joining(
            EtcdCluster cluster, PeerName peer, String claimName, SortedMap<PeerName, String> claims) {
        return peer(cluster, peer, claimName, joinWith(cluster, claims));
    }

    /** With every member on the list, etcd starts on an empty volume, if it was added to them before. */
    private static PeerBootstrap joinWith(EtcdCluster cluster, SortedMap<PeerName, String> claims) {
        return PeerBootstrap.of(
                claims.entrySet().stream()
                        .map(member -> member(cluster, member.getKey(), member.getValue()))
                        .toList(),
                InitialClusterState.EXISTING,
                null);
    }

    /** The peer with everything that follows from the cluster, and only its own where it keeps its data, how it starts and whether. */
    public static EtcdPeer asItShouldBe(EtcdCluster cluster, EtcdPeer actual) {
        var name = PeerName.parse(actual.getMetadata().getName());
        EtcdPeer desired = peer(
                cluster, name, actual.getSpec().claimName(), actual.getSpec().bootstrap());
        desired.setSpec(desired.getSpec().withStopped(actual.getSpec().standsStill()));
        return desired;
    }

    /** With only itself to ask, etcd starts on its data and refuses an empty volume. */
    public static PeerBootstrap startOnDataOnly(EtcdCluster cluster, PeerName peer, String claimName) {
        return PeerBootstrap.of(List.of(member(cluster, peer, claimName)), InitialClusterState.EXISTING, null);
    }

    private static EtcdPeer peer(EtcdCluster cluster, PeerName name, String claimName, PeerBootstrap bootstrap) {
        EtcdClusterSpec spec = cluster.getSpec();
        var peer = new EtcdPeer();
        peer.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name.toString())
                .withLabels(Labels.ofPeer(Labels.keyOf(cluster), name))
                .withOwnerReferences(Owned.by(cluster))
                .build());
        peer.setSpec(new EtcdPeerSpec(
                cluster.getMetadata().getName(),
                spec.version(),
                spec.imageOrDefault().at(spec.version()),
                spec.storage(),
                spec.podTemplateWithAffinity(),
                bootstrap,
                claimName,
                null));
        return peer;
    }

    private static InitialMember member(EtcdCluster cluster, PeerName peer, String claimName) {
        return new InitialMember(peer.toString(), Addresses.memberHost(Labels.keyOf(cluster), claimName));
    }
}
