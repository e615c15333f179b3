package etcdoperator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A manifest under test. Comments at its head say what is expected of the API server:
 *
 * <pre>
 * # refused: part of the message
 * # stored: /json/pointer = value
 * </pre>
 */
record Manifest(Path file, String text) {
    static final Path FOLDER = Path.of("tools/src/test/resources/crd");

    static Manifest read(Path file) {
        try {
            return new Manifest(file, Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is in a folder, in the order of names. */
    static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    GenericKubernetesResource resource() {
        return Serialization.unmarshal(text, GenericKubernetesResource.class);
    }

    String refusal() {
        List<String> found = head("# refused: ");
        if (found.size() != 1) {
            throw new IllegalStateException(file + " needs one line '# refused: …' at its head");
        }
        return found.getFirst();
    }

    List<Stored> stored() {
        return head("# stored: ").stream().map(Stored::parse).toList();
    }

    private List<String> head(String prefix) {
        return text.lines()
                .takeWhile(line -> line.startsWith("#"))
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    /** A value that the stored object must have, be it given or a default. */
    record Stored(String pointer, JsonNode value) {
        static Stored parse(String line) {
            String[] parts = line.split(" = ", 2);
            return new Stored(parts[0], Serialization.unmarshal(parts[1], JsonNode.class));
        }
    }
}
