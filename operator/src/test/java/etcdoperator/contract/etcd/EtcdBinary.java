package etcdoperator.contract.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where the test bed keeps an etcd of some version; it is built if it is not there yet. */
public final class EtcdBinary {
    private static final Map<String, Path> KNOWN = new ConcurrentHashMap<>();

    private EtcdBinary() {}

    public static Path of(String version) {
        return KNOWN.computeIfAbsent(version, EtcdBinary::ask);
    }

    private static Path ask(String version) {
        try {
            Process testbed = new ProcessBuilder("testbed/testbed", "etcd-bin", version)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String folder = new String(testbed.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (testbed.waitFor() != 0) {
                throw new IllegalStateException("the test bed has no etcd " + version);
            }
            return Path.of(folder, "etcd");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
