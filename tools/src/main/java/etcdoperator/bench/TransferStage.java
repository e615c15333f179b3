package etcdoperator.bench;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.PutRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** An etcd with 1 GiB in it and an S3 store beside it, on the loopback of this machine. */
final class TransferStage implements AutoCloseable {
    static final String BUCKET = "backups";
    private static final String USER = "bench";
    private static final String SECRET = "a-secret-of-the-bench";

    private static final int LARGE = 1 << 20;
    private static final int LARGE_VALUES = 1000;
    private static final int SMALL = 300;
    private static final int SMALL_VALUES = 50_000;

    /** Each key is written so often. */
    private static final int REVISIONS = 4;

    private static final int AT_ONCE = 16;
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final Path folder = Files.createTempDirectory("etcd-operator-bench");
    private final List<Process> servers = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final Path etcd;
    private final Path programs;
    private final int etcdPort = freePort();
    private final int storePort = freePort();

    /**
     * @param etcd a folder with etcd and etcdctl
     * @param programs one with what else the test bed has built
     */
    TransferStage(Path etcd, Path programs) throws IOException, InterruptedException {
        this.etcd = etcd;
        this.programs = programs;
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        startEtcd();
        startStore();
        fill();
    }

    Path folder() {
        return folder;
    }

    String endpoint() {
        return "http://127.0.0.1:" + etcdPort;
    }

    Map<String, String> environment() {
        return Map.of(
                "AWS_ACCESS_KEY_ID",
                USER,
                "AWS_SECRET_ACCESS_KEY",
                SECRET,
                "AWS_REGION",
                "us-east-1",
                "AWS_ENDPOINT_URL",
                "http://127.0.0.1:" + storePort,
                "TERMINATION_LOG",
                folder.resolve("last-words").toString(),
                "MALLOC_ARENA_MAX",
                "1");
    }

    /** For the agent. */
    List<String> storeFlags() throws IOException {
        Path credentials = Files.createDirectories(folder.resolve("credentials"));
        Files.writeString(credentials.resolve("AWS_ACCESS_KEY_ID"), USER);
        Files.writeString(credentials.resolve("AWS_SECRET_ACCESS_KEY"), SECRET);
        return List.of(
                "--bucket-url=s3://" + BUCKET,
                "--endpoint=http://127.0.0.1:" + storePort,
                "--allowed-endpoints=http://127.0.0.1",
                "--credentials=aws",
                "--credentials-dir=" + credentials);
    }

    List<String> etcdctl(String... words) {
        return with(etcd.resolve("etcdctl") + " --endpoints=" + endpoint(), words);
    }

    /** The store's own client. */
    List<String> s3(String... words) {
        return with(programs.resolve("s3-client").toString(), words);
    }

    /** By etcdctl. */
    Path save() throws IOException, InterruptedException {
        Path file = fresh("saved").resolve("snapshot.db");
        ProgramRun.of(etcdctl("snapshot", "save", file.toString()), environment());
        return file;
    }

    long snapshotBytes() throws IOException {
        return Files.size(folder.resolve("store/data").resolve(BUCKET).resolve("native.db"));
    }

    /** A file with a key to encrypt with. */
    Path key() throws IOException {
        byte[] key = new byte[32];
        random.nextBytes(key);
        return Files.writeString(folder.resolve("key"), Base64.getEncoder().encodeToString(key));
    }

    /** An empty folder of that name. */
    Path fresh(String name) throws IOException {
        delete(folder.resolve(name));
        return Files.createDirectory(folder.resolve(name));
    }

    @Override
    public void close() {
        servers.forEach(server -> server.destroyForcibly().onExit().join());
        try {
            delete(folder);
        } catch (IOException e) {
            System.err.println("  Note: " + folder + " is left: " + e);
        }
    }

    private void startEtcd() throws IOException, InterruptedException {
        String peer = "http://127.0.0.1:" + freePort();
        start(
                etcdPort,
                Map.of(),
                with(
                        etcd.resolve("etcd").toString(),
                        "--name=bench",
                        "--data-dir=" + fresh("etcd"),
                        "--listen-client-urls=" + endpoint(),
                        "--advertise-client-urls=" + endpoint(),
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=bench=" + peer,
                        "--quota-backend-bytes=8589934592",
                        "--unsafe-no-fsync", // only filling it would be slower
                        "--log-level=error"));
    }

    private void startStore() throws IOException, InterruptedException {
        Path store = fresh("store");
        Files.createDirectories(store.resolve("data").resolve(BUCKET));
        Files.createDirectory(store.resolve("more"));
        start(
                storePort,
                Map.of("ROOT_ACCESS_KEY", USER, "ROOT_SECRET_KEY", SECRET),
                with(
                        programs.resolve("versitygw").toString(),
                        "--quiet",
                        "--port=127.0.0.1:" + storePort,
                        "posix",
                        "--sidecar=" + store.resolve("more"),
                        store.resolve("data").toString()));
    }

    private void start(int port, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("servers.log").toFile()));
        builder.environment().putAll(environment);
        servers.add(builder.start());
        Poll.until(command.getFirst() + " listens", INTERVAL, () -> listens(port));
    }

    /** Random, so that nothing on the way can make it smaller. */
    private void fill() throws InterruptedException {
        System.err.println("  Filling an etcd with 1 GiB");
        ManagedChannel channel = ManagedChannelBuilder.forAddress("127.0.0.1", etcdPort)
                .usePlaintext()
                .build();
        try {
            put(channel, "small", SMALL_VALUES, SMALL);
            put(channel, "large", LARGE_VALUES, LARGE);
        } finally {
            channel.shutdownNow();
        }
    }

    private void put(ManagedChannel channel, String name, int count, int size) throws InterruptedException {
        var free = new Semaphore(AT_ONCE);
        byte[] value = new byte[size];
        for (int i = 0; i < count; i++) {
            random.nextBytes(value);
            free.acquire();
            KVGrpc.newFutureStub(channel)
                    .put(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8(name + "-" + i / REVISIONS))
                            .setValue(ByteString.copyFrom(value))
                            .build())
                    .addListener(free::release, Runnable::run);
        }
        free.acquire(AT_ONCE);
    }

    private static List<String> with(String program, String... words) {
        List<String> command = new ArrayList<>(List.of(program.split(" ")));
        command.addAll(List.of(words));
        return command;
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static boolean listens(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static void delete(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
