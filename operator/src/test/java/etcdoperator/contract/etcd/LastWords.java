package etcdoperator.contract.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What members said before a test gave up on them. Their logs are gone after it, so this goes with the failure.
 *
 * @param folder where each has a log of its name
 */
record LastWords(Path folder) {
    private static final int LINES = 40;
    private static final String SAYING = ".*(\"caller\":\"[^\"]+\").*";

    String of(Map<String, Process> members) {
        return members.entrySet().stream()
                .map(member ->
                        "\n%s, %s:\n%s".formatted(member.getKey(), state(member.getValue()), tail(member.getKey())))
                .collect(Collectors.joining());
    }

    private static String state(Process process) {
        return process.isAlive() ? "running" : "ended with " + process.exitValue();
    }

    /** Of what it says again and again, the first. */
    private String tail(String member) {
        List<String> lines = new ArrayList<>();
        String last = "";
        for (String line : log(member)) {
            String saying = line.replaceAll(SAYING, "$1");
            if (!saying.equals(last)) {
                lines.add(line);
            }
            last = saying;
        }
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }

    private List<String> log(String member) {
        try {
            return Files.readAllLines(folder.resolve(member + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
