package etcdoperator.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the API server wrote down of the operator's requests. */
final class AuditLog {
    private static final String OPERATOR =
            "system:serviceaccount:%s:etcd-operator".formatted(OperatorProcess.NAMESPACE);

    private final ObjectMapper json = new ObjectMapper();
    private final Path file;

    AuditLog(Path file) {
        this.file = file;
    }

    /** Requests by verb and resource, but for the lease, which has a pace of its own. */
    Map<String, Integer> requests(Instant from, Instant to) throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.filter(line -> line.contains(OPERATOR)).flatMap(this::parse).forEach(event -> {
                Instant at =
                        Instant.parse(event.path("requestReceivedTimestamp").asText());
                String resource = event.path("objectRef").path("resource").asText("-");
                String part = event.path("objectRef").path("subresource").asText("");
                // A watch is written down when it begins and again when it ends.
                boolean begun = event.path("stage").asText().equals("ResponseStarted");
                boolean once = begun || !event.path("verb").asText().equals("watch");
                if (!at.isBefore(from) && at.isBefore(to) && !resource.equals("leases") && once) {
                    String what = part.isEmpty() ? resource : resource + "/" + part;
                    counts.merge(event.path("verb").asText() + " " + what, 1, Integer::sum);
                }
            });
        }
        return counts;
    }

    /** The last line may be half written. */
    private Stream<JsonNode> parse(String line) {
        try {
            return Stream.of(json.readTree(line));
        } catch (JsonProcessingException e) {
            return Stream.empty();
        }
    }
}
