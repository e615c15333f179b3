package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * A folder with a scenario of any kind: {@code view.yaml} is what a pass sees, {@code step.yaml} and {@code status.yaml}
 * are what must come of it.
 */
public record ScenarioFolder(Path root, Path folder, JsonNode view) {
    /** The time of each pass. */
    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    public static Stream<DynamicTest> tests(Path root, Consumer<ScenarioFolder> check) {
        return all(root).stream().map(folder -> folder.test(() -> check.accept(folder)));
    }

    public static List<ScenarioFolder> all(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("view.yaml"))
                    .map(Path::getParent)
                    .sorted()
                    .map(folder -> new ScenarioFolder(root, folder, parse(folder.resolve("view.yaml"))))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ScenarioFolder {
        if (view.path("why").asText().isBlank()) {
            throw new IllegalStateException(folder + "/view.yaml must begin with 'why:' and a line that says why");
        }
    }

    String why() {
        return view.path("why").asText();
    }

    DynamicTest test(org.junit.jupiter.api.function.Executable check) {
        return DynamicTest.dynamicTest(
                root.relativize(folder).toString(), folder.resolve("view.yaml").toUri(), check);
    }

    /** @param keys all that {@code view.yaml} may say beside {@code why} */
    public void requireOnly(Set<String> keys) {
        requireOnly(view, keys);
    }

    static void requireOnly(JsonNode yaml, Set<String> keys) {
        Set<String> unknown = new TreeSet<>();
        yaml.fieldNames().forEachRemaining(unknown::add);
        unknown.remove("why");
        unknown.removeAll(keys);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(unknown + " means nothing here; known are " + new TreeSet<>(keys));
        }
    }

    JsonNode expected(String file) {
        return optional(file)
                .orElseThrow(() -> new IllegalStateException(folder + " needs a " + file + " with what must come"));
    }

    Optional<JsonNode> optional(String file) {
        return Files.exists(folder.resolve(file)) ? Optional.of(parse(folder.resolve(file))) : Optional.empty();
    }

    private static JsonNode parse(Path file) {
        try {
            JsonNode read = Serialization.unmarshal(Files.readString(file), JsonNode.class);
            return read == null ? MissingNode.getInstance() : read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
