package etcdoperator.etcd;

import java.util.Optional;

/** Up to which revision the data of a member goes that answers no client. */
@FunctionalInterface
public interface Soundings {
    Optional<Long> revisionAt(Endpoint member);
}
