package io.improbable.etcd.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** Runs agents in this process, and hears their last words. */
final class AgentTrial {
    private final Path words;
    private final Map<String, String> environment = new HashMap<>();

    AgentTrial(Path folder) {
        this.words = folder.resolve("last-words");
        environment.put("TERMINATION_LOG", words.toString());
    }

    record Result(int exitCode, AgentReport report) {
        String message() {
            return report.message();
        }
    }

    void environment(String name, String value) {
        environment.put(name, value);
    }

    Result run(AgentCommand command, String... flags) {
        command.setEnvironment(environment);
        List<String> all = new ArrayList<>(List.of(flags));
        if (all.stream().noneMatch(flag -> flag.startsWith("--http-port"))) {
            all.add("--http-port=0");
        }
        var commands = new CommandLine(command);
        commands.setParameterExceptionHandler(new WrongFlags(commands.getParameterExceptionHandler()));
        try {
            Files.deleteIfExists(words);
            int exitCode = commands.execute(all.toArray(String[]::new));
            return new Result(exitCode, ReportText.read(Files.readString(words)).orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
