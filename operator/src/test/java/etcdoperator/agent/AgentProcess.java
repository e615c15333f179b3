package etcdoperator.agent;

import static org.awaitility.Awaitility.await;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.contract.etcd.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An agent as a pod would run it, which can be killed. */
final class AgentProcess {
    private final Path words;
    private final Path log;
    private final int port = FreePorts.take(1).getFirst();
    private final Process process;

    AgentProcess(Path folder, String... flags) {
        this.words = folder.resolve("words-" + port);
        this.log = folder.resolve("log-" + port);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "etcdoperator.Main"));
        command.addAll(List.of(flags));
        command.add("--http-port=" + port);
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("TERMINATION_LOG", words.toString());
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    AgentReport progress() {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/progress"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return ReportText.read(http.send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    AgentProcess awaitTransfer() {
        await().atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptions()
                .until(() -> Optional.ofNullable(progress().transferredBytes()).orElse(0L) > 0);
        return this;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** As Kubernetes asks a pod to end. */
    AgentProcess terminate() {
        process.destroy();
        return this;
    }

    AgentTrial.Result result() {
        int exitCode = process.onExit().join().exitValue();
        try {
            return new AgentTrial.Result(
                    exitCode,
                    ReportText.read(Files.readString(words))
                            .orElseThrow(() -> new AssertionError("no last words: " + words)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
