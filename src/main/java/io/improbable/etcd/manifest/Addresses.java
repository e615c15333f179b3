package io.improbable.etcd.manifest;

import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.PeerName;
import java.net.URI;
import java.util.Optional;

/**
 * Where members listen and how they are called. Names end in {@code .svc}: what follows is the Kubernetes cluster's
 * own domain, which pods get from their resolver and nobody has to know.
 */
public final class Addresses {
    public static final int CLIENT_PORT = 2379;
    public static final int PEER_PORT = 2380;
    public static final int METRICS_PORT = 2381;

    private Addresses() {}

    public static String headlessService(ClusterKey cluster) {
        return cluster.name();
    }

    public static String clientService(ClusterKey cluster) {
        return cluster.name() + "-client";
    }

    /**
     * A member is called after its claim, which no other member ever has: the pod of one that was replaced may linger
     * on a dead node, or be about to start, and must neither be taken for its successor nor take itself for it.
     */
    public static String memberHost(ClusterKey cluster, String claimName) {
        return claimName + "." + headlessService(cluster) + "." + cluster.namespace() + ".svc";
    }

    /** The slot of this cluster that a peer URL leads to; empty if it leads elsewhere. */
    public static Optional<PeerName> peerAt(ClusterKey cluster, String peerUrl) {
        return Optional.ofNullable(URI.create(peerUrl).getHost()).flatMap(host -> {
            String claimName = host.split("\\.", 2)[0];
            return PeerName.ofClaim(cluster.name(), claimName)
                    .filter(peer -> host.equals(memberHost(cluster, claimName)));
        });
    }

    public static String peerUrl(Scheme scheme, String host) {
        return scheme.word() + "://" + host + ":" + PEER_PORT;
    }

    public static String clientUrl(Scheme scheme, String host) {
        return scheme.word() + "://" + host + ":" + CLIENT_PORT;
    }

    public static String clientServiceUrl(Scheme scheme, ClusterKey cluster) {
        return clientUrl(scheme, clientService(cluster) + "." + cluster.namespace() + ".svc");
    }

    /** Whether a side speaks TLS. */
    public enum Scheme {
        HTTP("http"),
        HTTPS("https");

        private final String word;

        Scheme(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** The family of pod addresses; a listener on every IPv4 address hears nothing in an IPv6 cluster. */
    public enum IpFamily {
        IPV4("0.0.0.0"),
        IPV6("[::]");

        private final String everyAddress;

        IpFamily(String everyAddress) {
            this.everyAddress = everyAddress;
        }

        public static IpFamily of(String address) {
            return address.contains(":") ? IPV6 : IPV4;
        }

        public String listenUrl(Scheme scheme, int port) {
            return scheme.word() + "://" + everyAddress + ":" + port;
        }
    }
}
