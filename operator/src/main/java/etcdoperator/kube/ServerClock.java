package etcdoperator.kube;

import java.time.Instant;
import java.util.Optional;

/** What time it is by the API server: the same for all operators, on whichever node they run. */
public interface ServerClock {
    /** Empty until it has answered. */
    Optional<Instant> now();
}
