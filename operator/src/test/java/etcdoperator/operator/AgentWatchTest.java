package etcdoperator.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.domain.ObjectKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AgentWatchTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "b");

    private final ServerSocket server = listen();
    private final List<Socket> asked = new CopyOnWriteArrayList<>();
    private final List<ObjectKey> woken = new CopyOnWriteArrayList<>();
    private final AgentWatch agents = new AgentWatch(woken::add, server.getLocalPort());
    private volatile String answer = "";

    AgentWatchTest() {
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    asked.add(socket);
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    // The end of a test.
                }
            }
        });
    }

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        agents.close();
        server.close();
        for (Socket socket : asked) {
            socket.close();
        }
    }

    private static String page(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s".formatted(body.length(), body);
    }

    @Test
    void whatAnAgentSaysIsHeard() {
        answer = page("{\"state\":\"Running\"}");
        agents.follow(KEY, "127.0.0.1");
        agents.askAll();
        await().untilAsserted(() -> assertThat(agents.heard(KEY)).isPresent());
        assertThat(woken).containsExactly(KEY);
    }

    /** However often it is time to ask, one question at a time is enough. */
    @Test
    void anAgentThatDoesNotAnswerIsNotAskedAgainMeanwhile() {
        agents.follow(KEY, "127.0.0.1");
        for (int i = 0; i < 50; i++) {
            agents.askAll();
        }
        await().until(() -> !asked.isEmpty());
        await().during(Duration.ofMillis(500)).until(() -> asked.size() == 1);
    }

    @Test
    void anAgentThatHasNotAnsweredInTimeIsAskedAgain() {
        agents.follow(KEY, "127.0.0.1");
        agents.askAll();
        await().atMost(Duration.ofSeconds(15)).until(() -> {
            agents.askAll();
            return asked.size() >= 2;
        });
    }

    /** One that begins to answer and goes on without end is given up as well. */
    @Test
    void anAnswerWithoutEndIsGivenUp() {
        answer = "HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n{";
        agents.follow(KEY, "127.0.0.1");
        agents.askAll();
        await().atMost(Duration.ofSeconds(15)).until(() -> {
            agents.askAll();
            return asked.size() >= 2;
        });
        assertThat(agents.heard(KEY)).isEmpty();
    }

    @Test
    void aLongAnswerIsNotKept() {
        answer = page("{\"state\":\"Running\",\"message\":\"" + "x".repeat(1_000_000) + "\"}");
        agents.follow(KEY, "127.0.0.1");
        agents.askAll();
        await().until(() -> !asked.isEmpty());
        await().during(Duration.ofMillis(500)).until(() -> agents.heard(KEY).isEmpty());
    }

    @Test
    void soManyAreAskedAtOnce() {
        for (int i = 0; i < 200; i++) {
            agents.follow(new ObjectKey("ns", "b" + i), "127.0.0.1");
        }
        agents.askAll();
        await().during(Duration.ofMillis(500)).until(() -> asked.size() <= 64);
    }
}
