package etcdoperator.exploration;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Runs on every core, and not many more of them in memory than that. */
final class Work implements AutoCloseable {
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int AHEAD = 64;

    private final ExecutorService threads = Executors.newFixedThreadPool(CORES);
    private final Semaphore room = new Semaphore(CORES + AHEAD);

    void add(Runnable task) {
        room.acquireUninterruptibly();
        threads.execute(() -> {
            try {
                task.run();
            } finally {
                room.release();
            }
        });
    }

    /** Until all of it is done. */
    void finish() {
        room.acquireUninterruptibly(CORES + AHEAD);
        room.release(CORES + AHEAD);
    }

    @Override
    public void close() {
        threads.shutdown();
        try {
            threads.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
