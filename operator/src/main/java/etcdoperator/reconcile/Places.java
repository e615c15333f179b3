package etcdoperator.reconcile;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on a limited number of places. Groups take turns, so that a group with many tasks delays no other group. A
 * task that takes long gives up its place and continues without one, so that it delays no other task either.
 */
final class Places implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Places.class);

    private final Limits limits;
    private final ExecutorService threads;
    private final ScheduledExecutorService timer;

    /** In the order of their turns. This and all that follows is guarded by this object. */
    private final SequencedMap<String, Deque<Task>> waiting = new LinkedHashMap<>();

    private final Map<String, Integer> runningOfGroup = new HashMap<>();

    /** The oldest first. */
    private final Set<Running> running = new LinkedHashSet<>();

    private int taken;
    private boolean timed;
    private boolean guarded;

    /**
     * How many tasks run at once, and for how long.
     *
     * @param places for tasks that have just begun
     * @param patience how long a task keeps its place while others wait for one
     * @param ofGroup how many tasks of one group run at once, with and without a place
     * @param inAll how many tasks run at once, with and without a place
     * @param longest a task that runs for longer is interrupted
     */
    record Limits(int places, Duration patience, int ofGroup, int inAll, Duration longest) {
        static Limits of(int places) {
            return new Limits(places, Duration.ofMillis(100), 64, 512, Duration.ofMinutes(2));
        }
    }

    /** @param name under which it is logged */
    private record Task(String group, Object name, Runnable action) {}

    /** One task that has begun. */
    private static final class Running {
        private final Task task;
        private final long since = System.nanoTime();
        private boolean placed = true;
        private @Nullable Thread thread;

        Running(Task task) {
            this.task = task;
        }

        synchronized void begin() {
            thread = Thread.currentThread();
        }

        /** The thread has other tasks after this one, which must not be interrupted. */
        synchronized void end() {
            thread = null;
            Thread.interrupted();
        }

        synchronized void interrupt() {
            if (thread != null) {
                var hanging = new Exception("where it is");
                hanging.setStackTrace(thread.getStackTrace());
                LOG.warn("The pass of {} has been running for {} and is interrupted", task.name, age(), hanging);
                thread.interrupt();
            }
        }

        Duration age() {
            return Duration.ofNanos(System.nanoTime() - since);
        }
    }

    /** Threads of the system: on virtual ones, a task that only computes would keep others from the processors. */
    Places(String name, Limits limits, ScheduledExecutorService timer) {
        this.limits = limits;
        this.timer = timer;
        this.threads = Executors.newCachedThreadPool(
                Thread.ofPlatform().daemon().name(name + "-", 1).factory());
    }

    /** @return whether the task will run: none does after the end */
    synchronized boolean submit(String group, Object name, Runnable action) {
        if (threads.isShutdown()) {
            return false;
        }
        waiting.computeIfAbsent(group, g -> new ArrayDeque<>()).add(new Task(group, name, action));
        dispatch();
        return true;
    }

    @Override
    public void close() {
        synchronized (this) {
            waiting.clear();
            threads.shutdown();
        }
        try {
            if (!threads.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("A pass was still running at the end; the next start goes on where it stopped");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void dispatch() {
        String group = taken < limits.places ? nextGroup() : null;
        while (group != null) {
            start(group);
            group = taken < limits.places ? nextGroup() : null;
        }
        if (!waiting.isEmpty()) {
            timeOldest();
        }
    }

    private @Nullable String nextGroup() {
        if (running.size() >= limits.inAll) {
            return null;
        }
        return waiting.keySet().stream()
                .filter(group -> runningOfGroup.getOrDefault(group, 0) < limits.ofGroup)
                .findFirst()
                .orElse(null);
    }

    private void start(String group) {
        Deque<Task> tasks = waiting.remove(group);
        if (tasks == null) {
            return;
        }
        var begun = new Running(tasks.remove());
        if (!tasks.isEmpty()) {
            // Behind all others.
            waiting.put(group, tasks);
        }
        running.add(begun);
        runningOfGroup.merge(group, 1, Integer::sum);
        taken++;
        guardOldest();
        threads.execute(() -> run(begun));
    }

    private void run(Running begun) {
        begun.begin();
        try {
            begun.task.action.run();
        } finally {
            begun.end();
            end(begun);
        }
    }

    private synchronized void end(Running ended) {
        running.remove(ended);
        runningOfGroup.computeIfPresent(ended.task.group, (group, count) -> count == 1 ? null : count - 1);
        giveUp(ended);
        dispatch();
    }

    private void giveUp(Running one) {
        if (one.placed) {
            one.placed = false;
            taken--;
        }
    }

    /** Only while a task waits: otherwise nobody needs the place. */
    private void timeOldest() {
        if (!timed) {
            running.stream().filter(one -> one.placed).findFirst().ifPresent(oldest -> {
                timed = true;
                after(limits.patience.minus(oldest.age()), this::clearPlaces);
            });
        }
    }

    private synchronized void clearPlaces() {
        timed = false;
        running.stream()
                .filter(one -> one.age().compareTo(limits.patience) >= 0)
                .forEach(this::giveUp);
        dispatch();
    }

    private void guardOldest() {
        if (!guarded) {
            running.stream().findFirst().ifPresent(oldest -> {
                guarded = true;
                Duration left = limits.longest.minus(oldest.age());
                after(left.isNegative() ? limits.longest : left, this::interruptHanging);
            });
        }
    }

    private synchronized void interruptHanging() {
        guarded = false;
        running.stream().filter(one -> one.age().compareTo(limits.longest) >= 0).forEach(Running::interrupt);
        guardOldest();
    }

    private void after(Duration delay, Runnable action) {
        try {
            timer.schedule(action, Math.max(1, delay.toMillis() + 1), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The queue is being closed");
        }
    }
}
