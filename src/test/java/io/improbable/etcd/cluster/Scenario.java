package io.improbable.etcd.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One folder: {@code view.yaml} is what a pass sees, {@code step.yaml} and {@code status.yaml} are what must come of it,
 * {@code effects.yaml} and {@code notices.yaml} say more where there is more to say. How to write one:
 * src/test/resources/scenarios/README.md.
 */
record Scenario(Path folder, String why, ScenarioView given) {
    static final Path ALL = Path.of("src/test/resources/scenarios");

    static List<Scenario> all() {
        try (Stream<Path> files = Files.walk(ALL)) {
            return files.filter(file -> file.endsWith("view.yaml"))
                    .map(Path::getParent)
                    .sorted()
                    .map(Scenario::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Scenario read(Path folder) {
        JsonNode yaml = parse(folder.resolve("view.yaml"));
        String why = yaml.path("why").asText();
        if (why.isBlank()) {
            throw new IllegalStateException(folder + "/view.yaml must begin with 'why:' and a line that says why");
        }
        try {
            return new Scenario(folder, why, ScenarioView.read(yaml));
        } catch (RuntimeException e) {
            throw new IllegalStateException(folder + "/view.yaml: " + e.getMessage(), e);
        }
    }

    String name() {
        return ALL.relativize(folder).toString();
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
