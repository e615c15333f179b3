package etcdoperator.exploration;

import etcdoperator.simulation.world.Sabotage;
import java.io.IOException;
import java.util.BitSet;
import java.util.function.BooleanSupplier;

/** Every second fault after every first one, from where the last exploration has ended. */
final class Pairs {
    private final Case begin;
    private final Sabotage sabotage;
    private final Tally tally;
    private final BooleanSupplier enough;
    private final BitSet done = new BitSet();
    private int number;

    /** @param enough whether no more of them are to begin */
    Pairs(Case begin, Sabotage sabotage, Tally tally, BooleanSupplier enough) {
        this.begin = begin;
        this.sabotage = sabotage;
        this.tally = tally;
        this.enough = enough;
    }

    /** @return how far it has come */
    Position.Progress explore(Position.Progress before) throws IOException {
        var known = new Known(2);
        long runs = tally.runs();
        done.set(0, before.first());
        try (var work = new Work()) {
            var explorer = new Explorer(sabotage, known, tally);
            explorer.begin(begin, branch -> {
                int mine = number++;
                if (mine >= before.first()) {
                    work.add(() -> explore(explorer, branch, mine));
                }
            });
            work.finish();
        }
        int first = done.nextClearBit(0);
        return before.and(first, tally.runs() - runs, known.size(), first >= number);
    }

    private void explore(Explorer explorer, Explorer.Branch branch, int mine) {
        if (enough.getAsBoolean()) {
            return;
        }
        explorer.follow(branch, 1);
        synchronized (done) {
            done.set(mine);
        }
    }
}
