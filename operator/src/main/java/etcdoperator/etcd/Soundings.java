package etcdoperator.etcd;

import java.util.Optional;

/** Reads the metrics of a member, which it serves also while it answers no client. */
@FunctionalInterface
public interface Soundings {
    /** Empty if the metrics cannot be read now. */
    Optional<MetricsReading> read(Endpoint member);
}
