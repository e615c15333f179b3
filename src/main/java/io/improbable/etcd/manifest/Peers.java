package io.improbable.etcd.manifest;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.improbable.etcd.api.EtcdCluster;
import io.improbable.etcd.api.EtcdClusterSpec;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdPeerSpec;
import io.improbable.etcd.api.PeerBootstrap;
import io.improbable.etcd.api.PeerBootstrap.InitialClusterState;
import io.improbable.etcd.api.PeerBootstrap.InitialMember;
import io.improbable.etcd.api.PeerSettings;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.PeerName;
import java.util.List;
import java.util.SortedMap;

/** EtcdPeers as a cluster's planner wants them. */
public final class Peers {
    private Peers() {}

    /** @param version what its bootstrap began with, which need not be what the cluster asks for by now */
    public static EtcdPeer founder(
            EtcdCluster cluster, PeerName peer, List<PeerName> founders, String token, EtcdVersion version) {
        List<InitialMember> members = founders.stream()
                .map(founder -> member(cluster, founder, founder.toString()))
                .toList();
        return withVersion(
                cluster,
                peer(cluster, peer, peer.toString(), PeerBootstrap.of(members, InitialClusterState.NEW, token)),
                version);
    }

    private static EtcdPeer withVersion(EtcdCluster cluster, EtcdPeer made, EtcdVersion version) {
        made.setSpec(made.getSpec().withSettingsOf(settingsOf(cluster, version.toString())));
        return made;
    }

    /** A peer that starts on its data or not at all. */
    public static EtcdPeer existing(EtcdCluster cluster, PeerName peer, String claimName, EtcdVersion version) {
        return withVersion(cluster, peer(cluster, peer, claimName, startOnDataOnly(cluster, peer, claimName)), version);
    }

    /**
     * A peer whose member was just added: it starts empty and learns from the others.
     *
     * @param members all of them by their claims, the new one too
     * @param version what the others run, which need not be what the cluster asks for yet
     */
    public static EtcdPeer joining(
            EtcdCluster cluster,
            PeerName peer,
            String claimName,
            SortedMap<String, PeerName> members,
            EtcdVersion version) {
        return withVersion(cluster, peer(cluster, peer, claimName, joinWith(cluster, members)), version);
    }

    /** With every member on the list, etcd starts on an empty volume, if it was added to them before. */
    private static PeerBootstrap joinWith(EtcdCluster cluster, SortedMap<String, PeerName> members) {
        List<InitialMember> list = members.entrySet().stream()
                .map(member -> member(cluster, member.getValue(), member.getKey()))
                .toList();
        return PeerBootstrap.of(list, InitialClusterState.EXISTING, null);
    }

    /**
     * The peer with all that follows from the cluster and restarts nothing. Where it keeps its data, how it starts and
     * whether, is its own; what its pod runs is changed by a roll alone, one peer at a time.
     */
    public static EtcdPeer asItShouldBe(EtcdCluster cluster, EtcdPeer actual) {
        EtcdPeer desired = renewed(cluster, actual);
        desired.setSpec(desired.getSpec().withSettingsOf(actual.getSpec()));
        return desired;
    }

    /** The peer as the cluster asks for it now, settings and all. */
    public static EtcdPeer renewed(EtcdCluster cluster, EtcdPeer actual) {
        var name = PeerName.parse(actual.getMetadata().getName());
        EtcdPeer desired = peer(
                cluster, name, actual.getSpec().claimName(), actual.getSpec().bootstrap());
        desired.setSpec(desired.getSpec().withStopped(actual.getSpec().standsStill()));
        return desired;
    }

    /** What every pod of the cluster is to be made with. */
    public static String settings(EtcdCluster cluster) {
        return PeerSettings.hashOf(settingsOf(cluster, cluster.getSpec().version()));
    }

    private static EtcdPeerSpec settingsOf(EtcdCluster cluster, String version) {
        EtcdClusterSpec spec = cluster.getSpec();
        return new EtcdPeerSpec(
                cluster.getMetadata().getName(),
                version,
                spec.imageOrDefault().at(version),
                spec.storage(),
                spec.podTemplateWithAffinity(),
                spec.etcd(),
                PeerBootstrap.of(List.of(), InitialClusterState.EXISTING, null),
                "",
                null);
    }

    /** With only itself to ask, etcd starts on its data and refuses an empty volume. */
    public static PeerBootstrap startOnDataOnly(EtcdCluster cluster, PeerName peer, String claimName) {
        return PeerBootstrap.of(List.of(member(cluster, peer, claimName)), InitialClusterState.EXISTING, null);
    }

    private static EtcdPeer peer(EtcdCluster cluster, PeerName name, String claimName, PeerBootstrap bootstrap) {
        var peer = new EtcdPeer();
        peer.setMetadata(new ObjectMetaBuilder()
                .withNamespace(cluster.getMetadata().getNamespace())
                .withName(name.toString())
                .withLabels(Labels.ofPeer(Labels.keyOf(cluster), name))
                .withOwnerReferences(Owned.by(cluster))
                .build());
        peer.setSpec(settingsOf(cluster, cluster.getSpec().version())
                .withBootstrap(bootstrap)
                .withClaimName(claimName));
        return peer;
    }

    private static InitialMember member(EtcdCluster cluster, PeerName peer, String claimName) {
        return new InitialMember(peer.toString(), Addresses.memberHost(Labels.keyOf(cluster), claimName));
    }
}
