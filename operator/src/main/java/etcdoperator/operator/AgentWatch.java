package etcdoperator.operator;

import etcdoperator.agentjob.Agents;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.domain.ObjectKey;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks agents at work how far they have come, beside the loop. Who says nothing is asked again: it is only progress. */
final class AgentWatch implements Agents, AutoCloseable {
    private static final Duration PACE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Progress is for people to read, and each word of it is a write to the API server. */
    private static final int QUESTIONS_A_WAKING = 3;

    private static final int PORT = 8080;

    private final Consumer<ObjectKey> wake;
    private final Map<ObjectKey, Followed> followed = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("agents").factory());
    private @Nullable HttpClient client;

    AgentWatch(Consumer<ObjectKey> wake) {
        this.wake = wake;
        timer.scheduleAtFixedRate(this::askAll, PACE.toMillis(), PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** One agent, and what it said last. */
    private static final class Followed {
        private final String address;
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

    private void askAll() {
        followed.forEach((key, agent) -> threads.execute(() -> ask(key, agent)));
    }

    private void ask(ObjectKey key, Followed agent) {
        String host = agent.address.contains(":") ? "[" + agent.address + "]" : agent.address;
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host + ":" + PORT + "/progress"))
                .timeout(PATIENCE)
                .build();
        try {
            HttpResponse<String> answer = client().send(request, HttpResponse.BodyHandlers.ofString());
            ReportText.read(answer.body()).ifPresent(now -> {
                boolean moved = !now.equals(agent.said);
                agent.said = now;
                if (moved && ++agent.questions % QUESTIONS_A_WAKING == 1) {
                    wake.accept(key);
                }
            });
        } catch (IOException e) {
            // It starts, or has just ended; its last words are read elsewhere.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
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
