package etcdoperator.bench;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits until something is so, but not for ever: a bench that hangs measures nothing and says nothing. */
final class Poll {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Poll() {}

    static void until(String what, Duration interval, BooleanSupplier isSo) throws InterruptedException {
        found(what, interval, () -> isSo.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    static <T> T found(String what, Duration interval, Supplier<Optional<T>> search) throws InterruptedException {
        long begin = System.nanoTime();
        Optional<T> result = search.get();
        while (result.isEmpty()) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new IllegalStateException("Not after %s: %s".formatted(PATIENCE, what));
            }
            Thread.sleep(interval);
            result = search.get();
        }
        return result.get();
    }
}
