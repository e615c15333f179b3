package etcdoperator.simulation.kube;

import java.time.Instant;
import java.util.List;

/** The operator process that sends a request: whether it runs, what it has seen, and when it looked. */
public interface OperatorProcess {
    LaggingCache cache();

    List<Watches> watches();

    FakeProbes probes();

    /** When the pass began that sends the request. */
    Instant passBegan();

    /** A frozen process that was killed meanwhile does not continue. */
    void requireAlive();
}
