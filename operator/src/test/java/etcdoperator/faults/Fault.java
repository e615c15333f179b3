package etcdoperator.faults;

import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A defect that somebody could make, and the test that must find it.
 *
 * @param name of its file
 * @param needs what has to run for that test
 */
record Fault(String name, Text text, Needs needs) {
    private static final String ENDING = ".yaml";
    private static final JsonMapper YAML = JsonMapper.builder(new YAMLFactory())
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .build();

    enum Needs {
        NOTHING,
        /** The etcd binaries that the test bed builds. */
        ETCD,
        /** An API server with the kinds. The fault is in the process of the test. */
        TESTBED,
        /** A test bed on which an operator with the fault is installed. */
        OPERATOR
    }

    /**
     * The file as it is written.
     *
     * @param what the defect, in one sentence
     * @param file the simple name of a class, or the path of another file
     * @param before what the file has exactly once; white space does not count
     * @param after what stands in its place
     * @param foundBy the simple name of a test class
     * @param needs nothing if absent
     */
    record Text(
            String what,
            String file,
            String before,
            String after,
            String foundBy,
            @Nullable Needs needs) {
        Text {
            Objects.requireNonNull(what, "what");
            Objects.requireNonNull(file, "file");
            Objects.requireNonNull(before, "before");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(foundBy, "foundBy");
        }
    }

    static Fault read(Path file) throws IOException {
        var text = YAML.readValue(file.toFile(), Text.class);
        String name = file.getFileName().toString();
        return new Fault(
                name.substring(0, name.length() - ENDING.length()),
                text,
                Objects.requireNonNullElse(text.needs(), Needs.NOTHING));
    }

    static List<Fault> all(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(ENDING))
                    .sorted()
                    .toList();
            List<Fault> faults = new ArrayList<>();
            for (Path file : sorted) {
                faults.add(read(file));
            }
            return List.copyOf(faults);
        }
    }

    boolean isJava() {
        return !text.file().contains("/");
    }
}
