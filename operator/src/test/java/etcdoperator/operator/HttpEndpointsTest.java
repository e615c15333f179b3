package etcdoperator.operator;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.manifest.Addresses.IpFamily;
import etcdoperator.manifest.AnyAgents;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the kubelet and Prometheus get from an operator that has not reached its API server yet. */
class HttpEndpointsTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private int port;
    private Operator operator;
    private HttpEndpoints endpoints;

    @BeforeEach
    void start() throws IOException {
        var nowhere = new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build();
        operator = new Operator(
                new KubernetesClientBuilder().withConfig(nowhere).build(),
                Optional::empty,
                Set.of(),
                "me",
                IpFamily.IPV4,
                Operator.DefaultTls.NONE,
                AnyAgents.of("etcd-operator"));
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        endpoints = new HttpEndpoints(port, operator);
    }

    @AfterEach
    void stop() {
        endpoints.close();
        operator.close();
        http.close();
    }

    @Test
    void itLivesFromTheStart() throws Exception {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/livez").body()).isEqualTo("ok");
    }

    @Test
    void itIsNotReadyBeforeALeaderIsKnown() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).contains("no leader is known yet");
    }

    @Test
    void aStandbyIsReady() throws Exception {
        operator.standBy();
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void onceStoppedItIsNotReadyAndStandsByNoMore() throws Exception {
        operator.standBy();
        operator.close();
        operator.standBy();
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
    }

    @Test
    void prometheusGetsTheLoopAndTheProcess() throws Exception {
        HttpResponse<String> metrics = get("/metrics");
        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.body())
                .contains("etcd_operator_passes_total{kind=\"cluster\"} 0.0")
                .contains("etcd_operator_passes_total{kind=\"peer\"} 0.0")
                .contains("etcd_operator_passes_failed_total")
                .contains("etcd_operator_oldest_pass_seconds")
                .contains("etcd_operator_leading 0.0")
                .contains("etcd_operator_drills{result=\"failed\"} 0.0")
                .contains("etcd_operator_drill_oldest_success_timestamp_seconds 0.0")
                .contains("jvm_memory_used_bytes");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
