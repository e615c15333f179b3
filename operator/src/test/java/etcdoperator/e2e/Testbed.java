package etcdoperator.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The three-node Kubernetes that the tests run on, and the command lines that people would use on it. */
final class Testbed {
    /** One client for all tests: it is thread-safe, and KUBECONFIG names the test bed. */
    static final KubernetesClient KUBE = new KubernetesClientBuilder().build();

    static final List<String> NODES = List.of("node-1", "node-2", "node-3");

    private static final Path PROJECT = Path.of("").toAbsolutePath();

    private Testbed() {}

    static String kubectl(String... arguments) {
        return run(tool("kubectl").toString(), arguments);
    }

    static String helm(String... arguments) {
        return run(tool("helm").toString(), arguments);
    }

    /** Runs a command of {@code testbed/testbed}. */
    static String testbed(String... arguments) {
        return run(PROJECT.resolve("testbed/testbed").toString(), arguments);
    }

    /** Gives an image a second name on every node, as if it had been pushed to a registry and could be pulled. */
    static void tagImage(String image, String name) {
        NODES.forEach(node -> ctr(node, "images", "tag", "--force", image, name));
    }

    static void removeImage(String name) {
        NODES.forEach(node -> ctr(node, "images", "remove", name));
    }

    static Path projectFile(String path) {
        return PROJECT.resolve(path);
    }

    /** The packaged chart. */
    static Path chart() throws IOException {
        try (var files = Files.newDirectoryStream(projectFile("target"), "etcd-operator-*.tgz")) {
            return files.iterator().next();
        }
    }

    private static void ctr(String node, String... arguments) {
        Path state = Path.of(testbed("kubeconfig").strip()).resolveSibling(node);
        List<String> all = new ArrayList<>(
                List.of("--address", state.resolve("containerd.sock").toString(), "--namespace", "k8s.io"));
        all.addAll(List.of(arguments));
        run(tool("ctr").toString(), all.toArray(String[]::new));
    }

    private static Path tool(String name) {
        String cache = Optional.ofNullable(System.getenv("ETCD_OPERATOR_CACHE"))
                .orElse(System.getProperty("user.home") + "/.cache/etcd-operator");
        return Path.of(cache, "bin", name);
    }

    static String run(String command, String... arguments) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(line)
                    .directory(PROJECT.toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(String.join(" ", line) + " ended with " + code + ":\n" + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
