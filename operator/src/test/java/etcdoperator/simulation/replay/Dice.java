package etcdoperator.simulation.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The one source of chance in a history. */
public final class Dice {
    private final SplittableRandom random;

    public Dice(long seed) {
        this.random = new SplittableRandom(seed);
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    public boolean oneIn(int times) {
        return below(times) == 0;
    }

    public <T> Optional<T> pick(List<T> choices) {
        return choices.isEmpty() ? Optional.empty() : Optional.of(choices.get(below(choices.size())));
    }

    public <T> List<T> shuffled(List<T> items) {
        List<T> mixed = new ArrayList<>(items);
        for (int i = mixed.size() - 1; i > 0; i--) {
            mixed.set(i, mixed.set(below(i + 1), mixed.get(i)));
        }
        return mixed;
    }
}
