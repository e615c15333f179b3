package etcdoperator.e2e.operator;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import etcdoperator.e2e.fixture.AuditLog;
import etcdoperator.e2e.fixture.AuditLog.Request;
import etcdoperator.e2e.fixture.InstalledOperator;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** The operator as a process: what it answers, what it logs, and how quiet it is. */
@Isolated
@Order(1)
class OperatorProcessIT {
    private static final Duration QUIET = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void answersAndLogsAndIsQuietWhenNothingHappens() {
        TestCluster cluster =
                namespace.cluster("quiet", TestCluster.members(3)).create().awaitHealthy();

        answersHealthAndMetrics();
        logsJsonThatSaysWhatItIsAbout(cluster);
        asksForNothingButTheLease();
    }

    private static void answersHealthAndMetrics() {
        assertThat(get("/livez")).isEqualTo("ok");
        assertThat(get("/readyz")).isEqualTo("ok");
        assertThat(get("/metrics"))
                .contains("etcd_operator_leading 1.0")
                .contains("etcd_operator_passes_total{kind=\"cluster\"}")
                .contains("jvm_memory_used_bytes");
    }

    private static void logsJsonThatSaysWhatItIsAbout(TestCluster cluster) {
        List<JsonNode> lines = InstalledOperator.SHARED
                .log(pod())
                .lines()
                .map(OperatorProcessIT::parse)
                .toList();
        String where = cluster.namespace() + "/";
        assertThat(linesAbout("cluster", where + "quiet", lines)).contains("Bootstrapping quiet-0, quiet-1, quiet-2");
        assertThat(linesAbout("peer", where + "quiet-1", lines)).contains("Created ReplicaSet quiet-1");
    }

    private static List<String> linesAbout(String field, String value, List<JsonNode> lines) {
        return lines.stream()
                .filter(line -> line.path("mdc").path(field).asText().equals(value))
                .map(line -> line.path("formattedMessage").asText())
                .toList();
    }

    private static void asksForNothingButTheLease() {
        eventually().until(() -> requestsOf(Duration.ofSeconds(5)).isEmpty());
        Instant start = Instant.now();
        Awaitility.await().pollDelay(QUIET).timeout(QUIET.multipliedBy(2)).until(() -> true);

        assertThat(requestsSince(start)).isEmpty();
        assertThat(AuditLog.since(start)).as("the lease is renewed").isNotEmpty();
    }

    private static List<Request> requestsOf(Duration last) {
        return requestsSince(Instant.now().minus(last));
    }

    /** A watch that ran out and is made anew is no request of the steady state's. */
    private static List<Request> requestsSince(Instant start) {
        return AuditLog.since(start).stream()
                .filter(request -> !request.isForLease() && !request.verb().equals("watch"))
                .toList();
    }

    private static Pod pod() {
        return InstalledOperator.SHARED.pods().getFirst();
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }

    private static String get(String path) {
        return InstalledOperator.SHARED.ask(pod(), path).orElse("no answer");
    }
}
