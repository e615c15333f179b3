package etcdoperator.simulation.rules;

/** An invariant does not hold. */
public final class Violation extends AssertionError {
    private final Invariant invariant;

    Violation(Invariant invariant, String how) {
        super(invariant + ": " + how);
        this.invariant = invariant;
    }

    public Invariant invariant() {
        return invariant;
    }
}
