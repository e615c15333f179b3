package etcdoperator.faults;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs test classes in a process of their own, from the root of the project as Maven does, until the first test fails. */
record ClassRun(List<Path> tests, Optional<Path> plantedClasses, Path output) {
    private static final Duration PATIENCE = Duration.ofMinutes(20);
    private static final int TESTS_FAILED = 1;
    /** What the simulation finds among thousands only is too rare for this list. */
    private static final String FEW_HISTORIES = "-Dsimulation.histories=300";

    /** What has come of a run. */
    sealed interface Result {
        record Passed() implements Result {}

        /** @param test the first that failed */
        record Failed(String test) implements Result {}

        /** No test could run. */
        record Broken(String why) implements Result {}
    }

    Result run() throws IOException, InterruptedException {
        Path module = WorkTree.module(tests.getFirst());
        Process process = new ProcessBuilder(command(module))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        var ending = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(ending);
        boolean ended = process.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES);
        process.destroyForcibly();
        Runtime.getRuntime().removeShutdownHook(ending);
        if (!ended) {
            return new Result.Broken("no end within " + PATIENCE.toMinutes() + " minutes");
        }
        return switch (process.exitValue()) {
            case 0 -> new Result.Passed();
            case TESTS_FAILED -> new Result.Failed(firstFailure());
            default -> new Result.Broken("see " + output);
        };
    }

    private List<String> command(Path module) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=logback-test.xml",
                FEW_HISTORIES,
                "-cp",
                plantedClasses.map(classes -> classes + File.pathSeparator).orElse("") + Planting.classPath(module),
                "org.junit.platform.console.ConsoleLauncher",
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--fail-fast",
                "--fail-if-no-tests",
                "--details=none"));
        tests.forEach(test -> command.add("--select-class=" + WorkTree.className(test)));
        return command;
    }

    /** The launcher lists failures as Engine:Class:test. */
    private String firstFailure() throws IOException {
        return Files.readAllLines(output).stream()
                .dropWhile(line -> !line.startsWith("Failures ("))
                .skip(1)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .map(line -> line.replaceFirst("^JUnit Jupiter:", ""))
                .orElse("see " + output);
    }
}
