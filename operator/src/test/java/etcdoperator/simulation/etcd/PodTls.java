package etcdoperator.simulation.etcd;

import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What one run of etcd has for TLS. */
public record PodTls(Optional<Files> client, Optional<Files> peer) {
    public static final PodTls NONE = new PodTls(Optional.empty(), Optional.empty());

    /**
     * @param trusted key ids of authorities, read once at the start
     * @param issuer key id of the one that has signed what is shown, read for each connection
     */
    public record Files(Set<String> trusted, Supplier<String> issuer) {
        boolean believes(Files other) {
            return trusted.contains(other.issuer().get());
        }
    }
}
