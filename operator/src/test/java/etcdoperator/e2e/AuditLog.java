package etcdoperator.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** What the operator asked of the API server, by the API server's own record. */
final class AuditLog {
    private static final ObjectMapper JSON = new ObjectMapper();

    private AuditLog() {}

    /** @param allowed whether RBAC let it through; a quota may have refused it all the same */
    record Request(Instant at, String verb, String group, String resource, String name, int code, boolean allowed) {
        static Request of(JsonNode entry) {
            JsonNode object = entry.path("objectRef");
            String subresource = object.path("subresource").asText();
            int code = entry.path("responseStatus").path("code").asInt();
            return new Request(
                    Instant.parse(entry.path("requestReceivedTimestamp").asText()),
                    effectiveVerb(entry.path("verb").asText(), code),
                    object.path("apiGroup").asText(),
                    object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
                    object.path("name").asText(),
                    code,
                    !"forbid"
                            .equals(entry.path("annotations")
                                    .path("authorization.k8s.io/decision")
                                    .asText()));
        }

        /** An apply that makes a new object needs the right to create as well, and is logged as a patch. */
        private static String effectiveVerb(String verb, int code) {
            return verb.equals("patch") && code == 201 ? "create" : verb;
        }

        boolean isForLease() {
            return resource.equals("leases");
        }
    }

    static List<Request> since(Instant start) {
        Path file = Path.of(Testbed.testbed("audit-log").strip());
        try (var lines = Files.lines(file)) {
            return lines.map(AuditLog::parse)
                    .map(Request::of)
                    .filter(request -> !request.at().isBefore(start))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
