package etcdoperator.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.operator.HttpPort.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpPortTest {
    private static final String LARGE = "x".repeat(20_000_000);

    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpPort port = open(new HttpPort.Limits(8, Duration.ofSeconds(1)));
    private final List<Socket> sockets = new ArrayList<>();

    private static HttpPort open(HttpPort.Limits limits) {
        try {
            return new HttpPort(
                    0,
                    Map.of(
                            "/ok", () -> new Answer(200, "ok"),
                            "/large", () -> new Answer(200, LARGE),
                            "/fails", () -> {
                                throw new IllegalStateException("on purpose");
                            }),
                    limits);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        port.close();
        http.close();
    }

    private Socket begins(String text) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
        sockets.add(socket);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    private String get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.port() + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    @Test
    void itAnswersWhatItKnows() throws Exception {
        assertThat(get("/ok")).isEqualTo("200 ok");
        assertThat(get("/ok?a=b")).isEqualTo("200 ok");
        assertThat(get("/other")).isEqualTo("404 no such path");
        assertThat(get("/fails")).startsWith("500");
        assertThat(get("/large")).hasSize(LARGE.length() + 4);
    }

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        assertThat(new String(begins("hello\r\n\r\n").getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 400");
        assertThat(new String(
                        begins("POST /ok HTTP/1.1\r\n\r\n").getInputStream().readAllBytes(),
                        StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 405");
    }

    /** As many as somebody likes to open: those that are asked properly meanwhile are answered. */
    @Test
    void requestsThatAreHalfSentKeepNobodyOut() throws Exception {
        for (int i = 0; i < 100; i++) {
            begins("GET /ok HTTP/1.1\r\nHost: a\r\n");
            if (i % 10 == 0) {
                assertThat(get("/ok")).isEqualTo("200 ok");
            }
        }
        assertThat(sockets.stream().filter(HttpPortTest::isOpen).count()).isLessThanOrEqualTo(9);
    }

    @Test
    void aRequestThatIsHalfSentEndsAfterItsTime() throws Exception {
        Socket half = begins("GET /ok HTTP/1.1\r\n");
        await().atMost(Duration.ofSeconds(5)).until(() -> !isOpen(half));
    }

    /** Nor does one that sends a byte now and then. */
    @Test
    void aRequestThatComesByTheByteEndsAfterItsTime() throws Exception {
        Socket slow = begins("GET /ok HTTP/1.1\r\n");
        await().pollInterval(Duration.ofMillis(100))
                .atMost(Duration.ofSeconds(5))
                .until(() -> {
                    try {
                        slow.getOutputStream().write('a');
                        return !isOpen(slow);
                    } catch (IOException e) {
                        return true;
                    }
                });
    }

    @Test
    void anAnswerThatIsNotReadEndsAfterItsTime() throws Exception {
        Socket deaf = begins("GET /large HTTP/1.1\r\n\r\n");
        Thread.sleep(2500);
        long read = 0;
        byte[] part = new byte[65536];
        try {
            for (int now = deaf.getInputStream().read(part); now >= 0; now = deaf.getInputStream().read(part)) {
                read += now;
            }
        } catch (IOException e) {
            // Reset.
        }
        assertThat(read).isLessThan(LARGE.length());
    }

    @Test
    void aHeadWithoutEndIsRefused() throws Exception {
        Socket endless = begins("GET /ok HTTP/1.1\r\n" + "a: b\r\n".repeat(3000));
        await().atMost(Duration.ofSeconds(5)).until(() -> !isOpen(endless));
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
