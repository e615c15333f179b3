package etcdoperator.etcd;

import java.net.URI;
import java.util.Optional;

/**
 * Where one member listens for clients.
 *
 * @param url scheme, host and port; the host may be a pod's address, so that DNS is no part of judging health
 * @param authority the name the member's certificate carries, where the host is an address
 */
public record Endpoint(
        URI url, Optional<String> authority, Optional<TlsMaterial> tls, Optional<Credentials> credentials) {

    public static Endpoint plain(String host, int port) {
        return new Endpoint(
                URI.create("http://" + bracketed(host) + ":" + port),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** @param name what the member's certificate is good for, whatever its address */
    public static Endpoint secure(String host, int port, String name, TlsMaterial tls) {
        return new Endpoint(
                URI.create("https://" + bracketed(host) + ":" + port),
                Optional.of(name),
                Optional.of(tls),
                Optional.empty());
    }

    /** URLs want IPv6 addresses in brackets; the gRPC client takes host and port as URLs write them, too. */
    private static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** The same member's listener that wants no TLS. */
    public Endpoint plain(int port) {
        return plain(url.getHost().replaceAll("[\\[\\]]", ""), port);
    }

    public Endpoint with(Credentials us) {
        return new Endpoint(url, authority, tls, Optional.of(us));
    }

    /** The same kind of connection, to somewhere else in the cluster, where the same certificate is shown. */
    public Endpoint at(URI other) {
        return new Endpoint(other, authority, tls, credentials);
    }

    /** What the member's certificate has to be good for. */
    public String name() {
        return authority.orElseGet(() -> url.getHost().replaceAll("[\\[\\]]", ""));
    }

    public String hostAndPort() {
        return url.getRawAuthority();
    }
}
