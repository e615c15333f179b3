package etcdoperator.exploration;

import java.util.ArrayList;
import java.util.List;

/** The states that some run has come to, by how many faults could still follow. */
final class Known {
    private final List<LongSet> byFaultsLeft = new ArrayList<>();

    Known(int faults) {
        for (int i = 0; i <= faults; i++) {
            byFaultsLeft.add(new LongSet());
        }
    }

    /** The most that a run can have. */
    int faults() {
        return byFaultsLeft.size() - 1;
    }

    /** @return whether a run with as many faults left, or more, has been there before */
    boolean visit(long state, int faultsLeft) {
        for (int more = faultsLeft + 1; more < byFaultsLeft.size(); more++) {
            if (byFaultsLeft.get(more).contains(state)) {
                return true;
            }
        }
        return !byFaultsLeft.get(faultsLeft).add(state);
    }

    long size() {
        return byFaultsLeft.stream().mapToLong(LongSet::size).sum();
    }
}
