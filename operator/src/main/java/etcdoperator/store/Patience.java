package etcdoperator.store;

import etcdoperator.store.StoreException.Kind;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * How often a store is asked that does not answer. The providers' libraries do not retry by themselves, so that this is
 * all there is.
 *
 * @param pause before the second try; it doubles from try to try
 * @param deadline of one try
 */
public record Patience(int tries, Duration pause, Duration longestPause, Duration deadline) {
    /** Some four minutes for a store that refuses connections: long enough for a failover or a rolled gateway. */
    public static final Patience USUAL =
            new Patience(12, Duration.ofMillis(500), Duration.ofSeconds(30), Duration.ofMinutes(3));

    /** For what is only tidiness. */
    static final Patience LITTLE =
            new Patience(2, Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(20));

    private static final Duration LAST_MOMENTS = Duration.ofSeconds(15);

    /** Something that can be done again. */
    interface Attempt<T> {
        T run() throws StoreException;
    }

    /** The same without a result. */
    interface Deed {
        void run() throws StoreException;
    }

    void run(Errand errand, Deed deed) throws StoreException {
        run(errand, () -> {
            deed.run();
            return errand;
        });
    }

    <T> T run(Errand errand, Attempt<T> attempt) throws StoreException {
        for (int number = 1; ; number++) {
            try {
                return inTime(errand, attempt);
            } catch (StoreException e) {
                if (e.kind() != Kind.UNREACHABLE
                        || number >= tries
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
            }
            sleep(errand, number);
        }
    }

    /**
     * In a thread of its own, for no client has a deadline that covers a body: a server that stops reading would hold a
     * writer for ever. A virtual thread that is interrupted closes the socket it waits for.
     */
    private <T> T inTime(Errand errand, Attempt<T> attempt) throws StoreException {
        FutureTask<T> task = new FutureTask<>(attempt::run);
        Thread thread = Thread.ofVirtual().name("store").start(task);
        try {
            return task.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            if (!hasEnded(thread)) {
                throw errand.broken("a request of " + deadline.toSeconds() + " s cannot be ended: try again");
            }
            throw errand.unreachable("nothing within " + deadline.toSeconds() + " s");
        } catch (InterruptedException e) {
            hasEnded(thread);
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        }
    }

    /** Ends it, for a request that went on would read from memory that holds other bytes by then. */
    static boolean hasEnded(Thread thread) {
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        try {
            return thread.join(LAST_MOMENTS);
        } catch (InterruptedException e) {
            interrupted = true;
            return !thread.isAlive();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static StoreException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case StoreException expected -> expected;
            case RuntimeException bug -> throw bug;
            case Error error -> throw error;
            case null, default -> throw new IllegalStateException(cause);
        };
    }

    /** Some chance in it, so that those whom one outage stopped do not come back all at once. */
    private void sleep(Errand errand, int number) throws StoreException {
        long doubled = pause.toMillis() << Math.min(number - 1, 20);
        long most = Math.min(doubled, longestPause.toMillis());
        try {
            Thread.sleep(
                    Duration.ofMillis(most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        }
    }
}
