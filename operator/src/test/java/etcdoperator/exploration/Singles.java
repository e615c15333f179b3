package etcdoperator.exploration;

import etcdoperator.simulation.world.Sabotage;
import java.util.function.BooleanSupplier;

/** Every fault at every boundary of one operation. */
final class Singles {
    private Singles() {}

    /** @return how many states there were */
    static long explore(Case begin, Sabotage sabotage, Tally tally) {
        return explore(begin, sabotage, tally, () -> false);
    }

    /** @param enough whether no more runs are to begin */
    static long explore(Case begin, Sabotage sabotage, Tally tally, BooleanSupplier enough) {
        var known = new Known(1);
        try (var work = new Work()) {
            var explorer = new Explorer(sabotage, known, tally);
            explorer.begin(
                    begin,
                    branch -> work.add(() -> {
                        if (!enough.getAsBoolean()) {
                            explorer.follow(branch, 0);
                        }
                    }));
            work.finish();
        }
        return known.size();
    }
}
