package etcdoperator.simulation;

/** An invariant does not hold. */
final class Violation extends AssertionError {
    private final Invariant invariant;

    Violation(Invariant invariant, String how) {
        super(invariant + ": " + how);
        this.invariant = invariant;
    }

    Invariant invariant() {
        return invariant;
    }
}
