package etcdoperator.agent;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.commandline.CommandLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        try {
            Files.deleteIfExists(words);
            int exitCode = new CommandLine("agent", all, environment, System.out).run(command);
            return new Result(exitCode, ReportText.read(Files.readString(words)).orElseThrow());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
