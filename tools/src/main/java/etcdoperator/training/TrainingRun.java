package etcdoperator.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The run from which the AOT cache of the operator is made: the real operator as it runs in a pod, against an API
 * server and members of etcd that say what a bootstrap wants to hear. It is good for loading classes and for nothing
 * else; tests use real ones.
 *
 * <p>Usage: {@code packaging/tool etcdoperator.training.TrainingRun CLUSTER.yaml FOLDER COMMAND...}
 */
public final class TrainingRun {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final char[] PASSWORD = "training".toCharArray();
    private static final long QUIET_NANOS = 3_000_000_000L;
    private static final int SECONDS_AT_MOST = 90;
    private static final String SERVICE_ACCOUNT_TOKEN = "token";

    private final ApiServer api = new ApiServer(this::react);
    private final Members members;
    private volatile long lastCreation = System.nanoTime();

    private TrainingRun(ObjectNode cluster) throws IOException {
        String name = cluster.at("/metadata/name").asText();
        members = new Members(
                name,
                cluster.at("/spec/replicas").asInt(),
                cluster.at("/spec/version").asText());
        api.store("/apis/etcd.improbable.io/v1alpha1/namespaces/default/etcdclusters/" + name, cluster);
    }

    public static void main(String[] args) throws Exception {
        var run = new TrainingRun(
                (ObjectNode) new YAMLMapper().readTree(Path.of(args[0]).toFile()));
        Path folder = Files.createDirectories(Path.of(args[1]));
        try (var server = listen(folder)) {
            Thread.ofVirtual().start(() -> run.api.serve(server));
            int exit = run.operate(folder, List.of(args).subList(2, args.length), server.getLocalPort());
            System.out.printf("    training run over: %d objects, exit code %d%n", run.api.size(), exit);
        }
        System.exit(0);
    }

    /** HTTPS, as in a pod: the classes of a handshake are among the dearest to load. */
    private static ServerSocket listen(Path folder) throws Exception {
        Path store = folder.resolve("server.p12");
        Files.deleteIfExists(store);
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String[] common = {"-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", new String(PASSWORD)};
        keytool(
                keytool,
                common,
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=training",
                "-ext",
                "san=ip:127.0.0.1");
        keytool(
                keytool,
                common,
                "-exportcert",
                "-rfc",
                "-alias",
                "server",
                "-file",
                folder.resolve("ca.crt").toString());
        Files.writeString(folder.resolve(SERVICE_ACCOUNT_TOKEN), "training");
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(store.toFile(), PASSWORD), PASSWORD);
        var tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        return tls.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static void keytool(String keytool, String[] common, String... arguments) throws Exception {
        var command = new ArrayList<String>(List.of(keytool));
        command.addAll(List.of(arguments));
        command.addAll(List.of(common));
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("exit code " + exit + " from " + command);
        }
    }

    private int operate(Path folder, List<String> command, int port) throws Exception {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("operator.log").toFile());
        builder.environment().remove("KUBECONFIG");
        builder.environment()
                .putAll(Map.of(
                        "KUBERNETES_MASTER",
                        "https://127.0.0.1:" + port,
                        "KUBERNETES_CERTS_CA_FILE",
                        folder.resolve("ca.crt").toString(),
                        "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN",
                        folder.resolve(SERVICE_ACCOUNT_TOKEN).toString(),
                        "HOME",
                        folder.toString(),
                        "POD_NAME",
                        "training",
                        "POD_NAMESPACE",
                        "default",
                        "POD_IP",
                        "127.0.0.1",
                        "HTTP_PORT",
                        "0"));
        Process operator = builder.start();
        for (int i = 0; i < SECONDS_AT_MOST && !isQuiet(); i++) {
            operator.waitFor(1, TimeUnit.SECONDS);
        }
        operator.destroy(); // SIGTERM: a graceful stop is worth training too
        return operator.waitFor();
    }

    /** There is more than the cluster and the lease, and nothing new for a while: the first passes are over. */
    private boolean isQuiet() {
        return api.size() > 2 && System.nanoTime() - lastCreation > QUIET_NANOS;
    }

    /** What the controller of ReplicaSets, the scheduler and a kubelet would do. */
    private void react(String path, ObjectNode object) {
        lastCreation = System.nanoTime();
        if (!path.contains("/replicasets/")) {
            return;
        }
        String name = object.at("/metadata/name").asText();
        var pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.setAll((ObjectNode) object.at("/spec/template").deepCopy());
        var status = pod.putObject("status").put("phase", "Running");
        status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
        try {
            status.put("podIP", members.start(name));
            api.store("/api/v1/namespaces/default/pods/" + name + "-pod", pod);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
