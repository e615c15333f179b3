package etcdoperator.exploration;

import etcdoperator.simulation.replay.Dice;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** No chance at all: what has a choice takes the first by name. */
final class FixedOrder extends Dice {
    FixedOrder() {
        super(0);
    }

    @Override
    public int below(int bound) {
        return 0;
    }

    @Override
    public boolean oneIn(int times) {
        return false;
    }

    @Override
    public <T> Optional<T> pick(List<T> choices) {
        return choices.stream().min(Comparator.comparing(Object::toString));
    }

    @Override
    public <T> Optional<T> pick(List<T> choices, Comparator<T> preference) {
        return choices.stream().min(preference.thenComparing(Object::toString));
    }

    @Override
    public <T> List<T> shuffled(List<T> items) {
        return items.stream().sorted(Comparator.comparing(Object::toString)).toList();
    }
}
