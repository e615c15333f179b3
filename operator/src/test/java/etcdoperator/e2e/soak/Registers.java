package etcdoperator.e2e.soak;

import etcdoperator.e2e.fixture.Endpoints;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.TestCluster;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that read, write, and compare and set a few keys through all members in turn, and record each operation with
 * its time and outcome. The search for a valid order is exponential in the operations with an unknown outcome, so the
 * clients continue with fresh keys after each of them.
 */
final class Registers implements AutoCloseable {
    private static final int CLIENTS = 8;
    private static final int KEYS = 3;
    private static final int OPERATIONS_PER_GENERATION = 300;
    private static final Duration DEADLINE = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration REFRESH = Duration.ofMillis(500);

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(CLIENTS + 1);
    private final Endpoints endpoints;
    private final PrintWriter journal;
    private final AtomicInteger operations = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger generation = new AtomicInteger();
    private final AtomicLong values = new AtomicLong();
    private long lastAcknowledged = System.nanoTime();
    private long longestSilence;

    private Registers(TestCluster cluster, Path file) {
        this.endpoints = new Endpoints(cluster, Optional.empty());
        try {
            Files.createDirectories(file.getParent());
            this.journal = new PrintWriter(Files.newBufferedWriter(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Registers start(TestCluster cluster, Path journal, long seed) {
        var registers = new Registers(cluster, journal);
        registers.repeat(registers.endpoints::refresh, REFRESH);
        for (int client = 0; client < CLIENTS; client++) {
            var clientOfItsOwn = registers.new Client(client, new SplittableRandom(seed + client));
            registers.repeat(clientOfItsOwn::act, PAUSE);
        }
        return registers;
    }

    int operations() {
        return operations.get();
    }

    int acknowledged() {
        return acknowledged.get();
    }

    /** The longest time in which no operation succeeded. */
    synchronized Duration longestSilence() {
        return Duration.ofNanos(longestSilence);
    }

    /** Ends all clients; the journal is complete then. */
    @Override
    public void close() {
        threads.shutdown();
        try {
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a client did not end within a minute");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        journal.close();
        endpoints.close();
    }

    private void repeat(Runnable task, Duration pause) {
        var _ = threads.scheduleWithFixedDelay(task, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized void succeeded() {
        long now = System.nanoTime();
        longestSilence = Math.max(longestSilence, now - lastAcknowledged);
        lastAcknowledged = now;
        acknowledged.incrementAndGet();
    }

    private enum Kind {
        GET,
        PUT,
        CAS
    }

    private enum Outcome {
        OK,
        REFUSED,
        UNKNOWN
    }

    private final class Client {
        private final int number;
        private final SplittableRandom random;
        private String lastRead = "none";

        Client(int number, SplittableRandom random) {
            this.number = number;
            this.random = random;
        }

        void act() {
            int now = generation.get();
            String key = "register/%d/%d".formatted(now, random.nextInt(KEYS));
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            for (Etcd member : endpoints.anyOne()) {
                if (!perform(member, kind, key) || operations.get() / OPERATIONS_PER_GENERATION > now) {
                    generation.compareAndSet(now, now + 1);
                }
            }
        }

        /** @return whether the outcome is known */
        private boolean perform(Etcd member, Kind kind, String key) {
            String expected = kind == Kind.CAS ? lastRead : "";
            String value = kind == Kind.GET ? "" : Long.toString(values.incrementAndGet());
            long call = System.nanoTime();
            try {
                Outcome outcome = Outcome.OK;
                switch (kind) {
                    case GET -> {
                        value = member.get(key, DEADLINE);
                        lastRead = value.isEmpty() ? "none" : value;
                    }
                    case PUT -> {
                        var _ = member.put(key, value, DEADLINE);
                    }
                    case CAS ->
                        outcome = member.compareAndSet(key, expected, value, DEADLINE) ? Outcome.OK : Outcome.REFUSED;
                }
                record(key, kind, expected, value, outcome, call);
                succeeded();
                return true;
            } catch (StatusRuntimeException e) {
                if (kind != Kind.GET) {
                    record(key, kind, expected, value, Outcome.UNKNOWN, call);
                }
                return false;
            }
        }

        private void record(String key, Kind kind, String expected, String value, Outcome outcome, long call) {
            operations.incrementAndGet();
            String line = """
                    {"client":%d,"key":"%s","kind":"%s","expected":"%s","value":"%s","outcome":"%s","call":%d,"return":%d}""".formatted(
                            number,
                            key,
                            kind.name().toLowerCase(Locale.ROOT),
                            expected,
                            value,
                            outcome.name().toLowerCase(Locale.ROOT),
                            call,
                            System.nanoTime());
            synchronized (journal) {
                journal.println(line);
            }
        }
    }
}
