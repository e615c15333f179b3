package etcdoperator.manifest;

import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.Scheme;
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

    public static String nodePortService(ClusterKey cluster) {
        return cluster.name() + "-client-service-np";
    }

    public static String loadBalancerService(ClusterKey cluster) {
        return cluster.name() + "-client-lb";
    }

    /**
     * A member is called by its claim, not by its peer: the pod of a member that was replaced may still be starting
     * somewhere, and under the address of its successor it would take itself for that one.
     */
    public static String memberHost(ClusterKey cluster, String claimName) {
        return claimName + "." + headlessService(cluster) + "." + cluster.namespace() + ".svc";
    }

    /** The claim that a peer URL is called by; empty if it leads out of this cluster. */
    public static Optional<String> claimAt(ClusterKey cluster, String peerUrl) {
        return Optional.ofNullable(URI.create(peerUrl).getHost())
                .flatMap(host ->
                        Optional.of(label(host)).filter(claimName -> host.equals(memberHost(cluster, claimName))));
    }

    /** The first part of a host name: a claim's name. */
    public static String label(String host) {
        return host.split("\\.", 2)[0];
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
