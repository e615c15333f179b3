package io.improbable.etcd.contract;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.improbable.etcd.etcd.Endpoint;
import io.improbable.etcd.etcd.EtcdClient;
import io.improbable.etcd.etcd.GrpcEtcdClient;
import io.improbable.etcd.etcd.proto.KVGrpc;
import io.improbable.etcd.etcd.proto.PutRequest;
import io.improbable.etcd.etcd.proto.RangeRequest;
import io.improbable.etcd.simulation.StartFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** etcd as it is: one process a member, on ports of the loopback. */
final class ProcessStage implements EtcdStage {
    private static final ByteString KEY = ByteString.copyFromUtf8("written");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path etcd;
    private final Path folder;
    private final Map<String, Integer> peerPorts = new HashMap<>();
    private final Map<String, Integer> clientPorts = new HashMap<>();
    private final Map<String, Process> processes = new HashMap<>();
    private final Map<String, EtcdClient> clients = new HashMap<>();

    ProcessStage(Path etcd) {
        this.etcd = etcd;
        try {
            this.folder = Files.createTempDirectory("etcd-contract");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Integer> ports = freePorts(2 * PLACES.size());
        IntStream.range(0, PLACES.size()).forEach(i -> {
            peerPorts.put(PLACES.get(i), ports.get(2 * i));
            clientPorts.put(PLACES.get(i), ports.get(2 * i + 1));
        });
    }

    @Override
    public StartFlags flags(String name, List<String> initialCluster, String state, String token) {
        Map<String, String> urls = new TreeMap<>();
        initialCluster.forEach(member -> urls.put(member, url(peerPorts.get(member))));
        return new StartFlags(name, url(peerPorts.get(name)), url(clientPorts.get(name)), urls, state, token);
    }

    @Override
    public String peerUrl(String name) {
        return url(peerPorts.get(name));
    }

    @Override
    public void start(StartFlags flags) {
        String initialCluster = flags.initialCluster().entrySet().stream()
                .map(member -> member.getKey() + "=" + member.getValue())
                .collect(Collectors.joining(","));
        var command = new ProcessBuilder(
                etcd.toString(),
                "--name=" + flags.name(),
                "--data-dir=" + disk(flags.name()),
                "--listen-peer-urls=" + flags.peerUrl(),
                "--initial-advertise-peer-urls=" + flags.peerUrl(),
                "--listen-client-urls=" + flags.clientUrl(),
                "--advertise-client-urls=" + flags.clientUrl(),
                "--initial-cluster=" + initialCluster,
                "--initial-cluster-state=" + flags.state(),
                "--heartbeat-interval=50",
                "--election-timeout=500");
        command.environment().put("ETCD_INITIAL_CLUSTER_TOKEN", flags.token());
        command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(flags.name() + ".log").toFile()));
        try {
            processes.put(flags.name(), command.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void kill(String name) {
        processes.get(name).destroyForcibly().onExit().join();
    }

    @Override
    public void emptyDisk(String name) {
        delete(disk(name));
    }

    @Override
    public boolean isRunning(String name) {
        return processes.get(name).isAlive();
    }

    @Override
    public EtcdClient client(String name) {
        return clients.computeIfAbsent(
                name, member -> new GrpcEtcdClient(Endpoint.plain("127.0.0.1", clientPorts.get(member))));
    }

    @Override
    public boolean write(String name, int value) {
        return ask(name, kv -> {
                    kv.put(PutRequest.newBuilder()
                            .setKey(KEY)
                            .setValue(ByteString.copyFromUtf8(Integer.toString(value)))
                            .build());
                    return true;
                })
                .orElse(false);
    }

    @Override
    public Optional<Set<Integer>> read(String name) {
        return ask(
                name,
                kv -> kv.range(RangeRequest.newBuilder().setKey(KEY).build()).getKvsList().stream()
                        .map(pair -> Integer.valueOf(pair.getValue().toStringUtf8()))
                        .collect(Collectors.toSet()));
    }

    @Override
    public void eventually(String what, BooleanSupplier condition) {
        await(what + " (logs are in " + folder + ")")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(condition::getAsBoolean);
    }

    @Override
    public void aWhile() {
        await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
    }

    @Override
    public void close() {
        clients.values().forEach(EtcdClient::close);
        processes.values().forEach(process -> process.destroyForcibly().onExit().join());
        delete(folder);
    }

    private interface Question<T> {
        T ask(KVGrpc.KVBlockingStub kv);
    }

    private <T> Optional<T> ask(String name, Question<T> question) {
        ManagedChannel channel = ManagedChannelBuilder.forAddress("127.0.0.1", clientPorts.get(name))
                .usePlaintext()
                .build();
        try {
            return Optional.of(question.ask(KVGrpc.newBlockingStub(channel).withDeadlineAfter(2, TimeUnit.SECONDS)));
        } catch (StatusRuntimeException e) {
            return Optional.empty();
        } finally {
            channel.shutdownNow();
        }
    }

    private Path disk(String name) {
        return folder.resolve(name);
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static List<Integer> freePorts(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
