package etcdoperator.manifest;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.TlsSetup;
import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.api.TlsSpec.ClientTlsMode;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.stream.IntStream;

/** Clusters and peers to build manifests from, written as a user would. */
final class Given {
    private static final String STORAGE = "storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Gi}}}}";

    private Given() {}

    static EtcdCluster cluster(String spec) {
        return Serialization.unmarshal(
                """
                apiVersion: etcd.improbable.io/v1alpha1
                kind: EtcdCluster
                metadata: {name: c, namespace: ns, uid: u1}
                spec:
                  replicas: 3
                  version: 3.6.16
                """ + (spec.contains("storage:") ? "" : STORAGE.indent(2)) + spec.indent(2), EtcdCluster.class);
    }

    static EtcdCluster cluster() {
        return cluster("");
    }

    static EtcdCluster clusterOf(String version) {
        EtcdCluster cluster = cluster();
        cluster.setSpec(cluster.getSpec().withVersion(version));
        return cluster;
    }

    static EtcdPeer founder(EtcdCluster cluster) {
        List<PeerName> founders = IntStream.range(0, 3)
                .mapToObj(ordinal -> new PeerName("c", ordinal))
                .toList();
        return withUid(new Peers(cluster, TlsSetup.NONE)
                .founder(
                        founders.get(1),
                        founders,
                        "token-1",
                        EtcdVersion.parse(cluster.getSpec().version())));
    }

    /** One that speaks TLS on both sides. */
    static EtcdPeer secured(EtcdCluster cluster, TlsSetup tls) {
        return withUid(new Peers(cluster, tls)
                .existing(
                        PeerName.parse("c-1"),
                        "c-1",
                        EtcdVersion.parse(cluster.getSpec().version())));
    }

    static TlsSetup tls(ClientTlsMode mode, PeerStage stage) {
        return new TlsSetup(
                new TlsSetup.ClientSide(
                        mode,
                        new TlsSetup.SecretFiles("c-server-tls", "server.crt", "server.key", "server-ca.crt", "t1")),
                new TlsSetup.PeerSide(stage, files("c-peer-tls"), "c-peer", null));
    }

    static TlsSetup.SecretFiles files(String secret) {
        return new TlsSetup.SecretFiles(secret, "tls.crt", "tls.key", "ca.crt", "t1");
    }

    static EtcdPeer existing(EtcdCluster cluster) {
        return withUid(new Peers(cluster, TlsSetup.NONE)
                .existing(
                        PeerName.parse("c-1"),
                        "c-1-x7",
                        EtcdVersion.parse(cluster.getSpec().version())));
    }

    private static EtcdPeer withUid(EtcdPeer peer) {
        peer.getMetadata().setUid("peer-uid");
        return peer;
    }
}
