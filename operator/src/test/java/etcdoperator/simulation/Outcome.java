package etcdoperator.simulation;

import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Violation;
import etcdoperator.simulation.world.Sabotage;
import java.util.Optional;
import java.util.Set;

/** How one history ended. */
record Outcome(long seed, Optional<Throwable> thrown, int recoveries, int backups, String trace) {

    static Outcome of(long seed, Sabotage sabotage, Set<Invariant> watched) {
        var history = new History(seed, sabotage, watched);
        try {
            history.run();
            return new Outcome(seed, Optional.empty(), history.recoveries(), history.backups(), "");
        } catch (Violation | RuntimeException e) {
            return new Outcome(seed, Optional.of(e), history.recoveries(), history.backups(), history.trace());
        }
    }

    Optional<Invariant> violated() {
        return thrown.flatMap(e -> e instanceof Violation v ? Optional.of(v.invariant()) : Optional.empty());
    }

    Optional<String> failure() {
        return thrown.map(e -> "seed " + seed + ": " + e);
    }
}
