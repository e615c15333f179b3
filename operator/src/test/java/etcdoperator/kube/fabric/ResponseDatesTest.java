package etcdoperator.kube.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class ResponseDatesTest {
    private long nanos = Duration.ofDays(7).toNanos();
    private final ResponseDates dates = new ResponseDates(() -> nanos);

    @Test
    void beforeTheFirstAnswerNobodyKnows() {
        assertThat(dates.now()).isEmpty();
    }

    /** Whatever becomes of the clock of this node meanwhile. */
    @Test
    void timeGoesOnBetweenAnswers() {
        dates.hear("Thu, 01 Jan 2026 12:00:00 GMT");
        nanos += Duration.ofSeconds(90).toNanos();
        assertThat(dates.now()).contains(Instant.parse("2026-01-01T12:01:30Z"));
        dates.hear("Thu, 01 Jan 2026 12:01:31 GMT");
        assertThat(dates.now()).contains(Instant.parse("2026-01-01T12:01:31Z"));
    }

    /** Also where the answer is no. */
    @Test
    void everyAnswerSaysWhatTimeItIs() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_UNAVAILABLE, -1);
            exchange.close();
        });
        server.start();
        var config = new ConfigBuilder()
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .withRequestRetryBackoffLimit(0)
                .build();
        try (KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("dates", dates))
                .build()) {
            assertThatThrownBy(() -> client.raw("/version")).isInstanceOf(KubernetesClientException.class);
            assertThat(dates.now().orElseThrow()).isCloseTo(Instant.now(), within(5, ChronoUnit.SECONDS));
        } finally {
            server.stop(0);
        }
    }

    @Test
    void whatIsNoDateSaysNothing() {
        dates.hear("yesterday");
        assertThat(dates.now()).isEmpty();
    }
}
