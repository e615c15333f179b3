package etcdoperator.etcd;

import java.time.Duration;
import java.util.Optional;

/** Sees what certificate is shown somewhere. */
public interface ShownCertificates {
    /** @return the id of the key that has signed it; empty if it does not say */
    Optional<String> issuerAt(Endpoint member, int port, Duration deadline) throws EtcdException;
}
