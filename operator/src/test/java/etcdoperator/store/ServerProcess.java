package etcdoperator.store;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/** A server on the loopback, which can be killed and started again. */
public final class ServerProcess {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private final int port;
    private Process process;

    public ServerProcess(List<String> command, Map<String, String> environment, Path log, int port) {
        this.command = command;
        this.environment = environment;
        this.log = log;
        this.port = port;
        start();
    }

    /** In the test bed's cache. */
    public static Path program(String name) {
        Path cache = Optional.ofNullable(System.getenv("ETCD_OPERATOR_CACHE"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache", "etcd-operator"));
        Path program = cache.resolve("bin").resolve(name);
        if (!Files.exists(program)) {
            throw new IllegalStateException(name + " is not built: run testbed/testbed build-stores");
        }
        return program;
    }

    public void start() {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            process = builder.start();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(this::listens);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(command.getFirst() + " does not start:\n" + said(), e);
        }
    }

    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    private boolean listens() {
        if (!process.isAlive()) {
            throw new AssertionError(command.getFirst() + " has ended:\n" + said());
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private String said() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
