package etcdoperator.operator;

import etcdoperator.agentjob.Agents;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.domain.ObjectKey;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks agents at work how far they have come, beside the loop. Each is asked again once it has answered, or its time is
 * over: it is only progress.
 */
final class AgentWatch implements Agents, AutoCloseable {
    private static final Duration PACE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** Many times what an agent says. */
    private static final int LONGEST_ANSWER = 64 * 1024;

    private static final int AT_ONCE = 64;

    /** Progress is for people to read, and each word of it is a write to the API server. */
    private static final int QUESTIONS_A_WAKING = 3;

    private static final int PORT = 8080;

    private final Consumer<ObjectKey> wake;
    private final int port;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Map<ObjectKey, Followed> followed = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("agents").factory());
    private @Nullable HttpClient client;

    AgentWatch(Consumer<ObjectKey> wake) {
        this(wake, PORT);
    }

    AgentWatch(Consumer<ObjectKey> wake, int port) {
        this.wake = wake;
        this.port = port;
        timer.scheduleAtFixedRate(this::askAll, PACE.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** One agent, and what it said last. */
    private static final class Followed {
        private final String address;
        private final AtomicBoolean asked = new AtomicBoolean();
        private int questions;
        private volatile @Nullable AgentReport said;

        Followed(String address) {
            this.address = address;
        }
    }

    @Override
    public void follow(ObjectKey key, String address) {
        followed.compute(
                key, (k, known) -> known != null && known.address.equals(address) ? known : new Followed(address));
    }

    @Override
    public void leave(ObjectKey key) {
        followed.remove(key);
    }

    @Override
    public Optional<AgentReport> heard(ObjectKey key) {
        return Optional.ofNullable(followed.get(key)).map(agent -> agent.said);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        threads.shutdownNow();
    }

    /** Those that find no place are asked the next time. */
    void askAll() {
        followed.forEach((key, agent) -> {
            if (agent.asked.compareAndSet(false, true)) {
                if (places.tryAcquire()) {
                    threads.execute(() -> ask(key, agent));
                } else {
                    agent.asked.set(false);
                }
            }
        });
    }

    private void ask(ObjectKey key, Followed agent) {
        try {
            answer(agent).flatMap(ReportText::read).ifPresent(now -> {
                boolean moved = !now.equals(agent.said);
                agent.said = now;
                if (moved && ++agent.questions % QUESTIONS_A_WAKING == 1) {
                    wake.accept(key);
                }
            });
        } finally {
            places.release();
            agent.asked.set(false);
        }
    }

    private Optional<String> answer(Followed agent) {
        String host = agent.address.contains(":") ? "[" + agent.address + "]" : agent.address;
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + "/progress"))
                .timeout(PATIENCE)
                .build();
        CompletableFuture<HttpResponse<String>> answer =
                client().sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(), LONGEST_ANSWER));
        try {
            // For the body, too: the client's own time is over once it begins.
            return Optional.of(answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .body());
        } catch (ExecutionException | TimeoutException e) {
            // It starts, or has just ended; its last words are read elsewhere.
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            answer.cancel(true);
        }
    }

    /** Threads and selectors only once there is somebody to ask. */
    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(threads)
                    .build();
        }
        return client;
    }
}
