package etcdoperator.exploration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How far the pairs have been explored, in a file: one line for each case, with as many first faults as are done. */
final class Position {
    private static final String HEAD = """
            # How far pairs of faults have been explored. Written by make acceptance PART=explore.
            # case, first faults that are done with every second fault, runs, states, whether all are done
            """;

    private final Path file;
    private final Map<Case, Progress> cases = new LinkedHashMap<>();

    /** @param first how many first faults are done */
    record Progress(int first, long runs, long states, boolean complete) {
        static final Progress NONE = new Progress(0, 0, 0, false);

        Progress and(int firstNow, long more, long moreStates, boolean all) {
            return new Progress(firstNow, runs + more, states + moreStates, all);
        }
    }

    private Position(Path file) {
        this.file = file;
    }

    static Position read(Path file) throws IOException {
        var position = new Position(file);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                if (!line.startsWith("#") && !line.isBlank()) {
                    String[] words = line.trim().split("\\s+");
                    position.cases.put(
                            Case.parse(words[0]),
                            new Progress(
                                    Integer.parseInt(words[1]),
                                    Long.parseLong(words[2]),
                                    Long.parseLong(words[3]),
                                    words[4].equals("complete")));
                }
            }
        }
        return position;
    }

    Progress of(Case begin) {
        return cases.getOrDefault(begin, Progress.NONE);
    }

    void set(Case begin, Progress progress) throws IOException {
        cases.put(begin, progress);
        List<String> lines = new ArrayList<>();
        cases.forEach((key, value) -> lines.add("%s %d %d %d %s"
                .formatted(
                        key,
                        value.first(),
                        value.runs(),
                        value.states(),
                        value.complete() ? "complete" : "incomplete")));
        Files.createDirectories(file.getParent());
        Files.writeString(file, HEAD + String.join("\n", lines) + "\n");
    }
}
