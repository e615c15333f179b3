package etcdoperator.contract.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.MetricsReading;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.etcd.grpc.HttpMemberMetrics;
import etcdoperator.etcd.grpc.MetricsSoundings;
import etcdoperator.simulation.etcd.StartFlags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
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
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** etcd as it is: one process a member, on ports of the loopback. */
final class ProcessStage implements EtcdStage {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path etcd;
    private final Path folder;
    /** Where others look for a member; where it listens, unless a proxy stands before it. */
    private final Map<String, Integer> peerPorts = new HashMap<>();

    private final Map<String, Integer> metricsPorts = new HashMap<>();
    private final Map<String, PeerProxy> proxies = new HashMap<>();
    private final Map<String, Integer> clientPorts = new HashMap<>();
    private final Map<String, Process> processes = new HashMap<>();
    private final List<String> more = new ArrayList<>();
    private final Map<String, EtcdClient> clients = new HashMap<>();

    ProcessStage(Path etcd) {
        this.etcd = etcd;
        try {
            this.folder = Files.createTempDirectory("etcd-contract");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Integer> ports = FreePorts.take(3 * PLACES.size());
        IntStream.range(0, PLACES.size()).forEach(i -> {
            peerPorts.put(PLACES.get(i), ports.get(3 * i));
            clientPorts.put(PLACES.get(i), ports.get(3 * i + 1));
            metricsPorts.put(PLACES.get(i), ports.get(3 * i + 2));
        });
    }

    /** Members reach each other through these from now on. */
    void behindProxies() {
        for (String name : PLACES) {
            int port = FreePorts.take(1).getFirst();
            proxies.put(name, new PeerProxy(port, peerPorts.put(name, port)));
        }
    }

    PeerProxy proxyOf(String name) {
        return proxies.get(name);
    }

    /** For whoever starts from now on. */
    void also(String flag) {
        more.add(flag);
    }

    void snapshotEvery(int entries) {
        also("--snapshot-count=" + entries);
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
                "--listen-peer-urls=" + listening(flags),
                "--initial-advertise-peer-urls=" + flags.peerUrl(),
                "--listen-client-urls=" + flags.clientUrl(),
                "--listen-metrics-urls=" + url(metricsPorts.get(flags.name())),
                "--advertise-client-urls=" + flags.clientUrl(),
                "--initial-cluster=" + initialCluster,
                "--initial-cluster-state=" + flags.state(),
                "--heartbeat-interval=50",
                "--election-timeout=500",
                // A process that is killed loses nothing by it, and one trio need not wait for the disk of another.
                "--unsafe-no-fsync");
        command.command().addAll(more);
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

    private String listening(StartFlags flags) {
        PeerProxy proxy = proxies.get(flags.name());
        return proxy == null ? flags.peerUrl() : url(proxy.target());
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
        return clients.computeIfAbsent(name, member -> new GrpcEtcdClient(endpoint(member)));
    }

    @Override
    public EtcdClient client(String name, Credentials credentials) {
        return clients.computeIfAbsent(name + " " + credentials.hashCode(), key -> newClient(name, credentials));
    }

    /** One that has not said yet who it is. Who a learner does not log in, the first member does. */
    EtcdClient newClient(String name, Credentials credentials) {
        Endpoint plain = endpoint(name);
        var us = new Credentials(
                credentials.user(),
                credentials.password(),
                Optional.of(endpoint(NAMES.getFirst()).url()),
                credentials.otherwise());
        return new GrpcEtcdClient(new Endpoint(plain.url(), plain.authority(), plain.tls(), Optional.of(us)));
    }

    Endpoint endpoint(String name) {
        return Endpoint.plain("127.0.0.1", clientPorts.get(name));
    }

    /** etcd serves them beside its clients, too. */
    URI metrics(String name) {
        return endpoint(name).url();
    }

    /** Where they are served also while the member lets no client in. */
    URI metricsUri(String name) {
        return URI.create(url(metricsPorts.get(name)));
    }

    Optional<MetricsReading> metricsOf(String name) {
        return new MetricsSoundings(metricsPorts.get(name)).read(endpoint(name));
    }

    /** As much as a kubelet keeps. */
    String lastWords(String name) {
        try {
            byte[] log = Files.readAllBytes(folder.resolve(name + ".log"));
            int from = Math.max(0, log.length - 2048);
            return new String(log, from, log.length - from, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the member counts them; -1 if it does not answer. */
    long snapshots(String name) {
        try {
            return new HttpMemberMetrics().raftSnapshots(metrics(name), Duration.ofSeconds(2));
        } catch (EtcdException e) {
            return -1;
        }
    }

    long snapshotFiles(String name) {
        try (Stream<Path> files = Files.list(disk(name).resolve("member/snap"))) {
            return files.filter(file -> file.toString().endsWith(".snap")).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void raise(String name, Alarm alarm) {
        raw(name).raise(alarm);
    }

    void writeV2(String name, String key) {
        var request = HttpRequest.newBuilder(endpoint(name).url().resolve("/v2/keys/" + key))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .PUT(HttpRequest.BodyPublishers.ofString("value=1"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(201);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean write(String name, int value) {
        return raw(name).write(value);
    }

    @Override
    public Optional<Set<Integer>> read(String name) {
        return raw(name).read();
    }

    private RawClient raw(String name) {
        return new RawClient(clientPorts.get(name));
    }

    @Override
    public void eventually(String what, BooleanSupplier condition) {
        try {
            await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + new LastWords(folder).of(processes), e);
        }
    }

    @Override
    public void aWhile() {
        await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
    }

    @Override
    public void close() {
        clients.values().forEach(EtcdClient::close);
        processes.values().forEach(process -> process.destroyForcibly().onExit().join());
        proxies.values().forEach(PeerProxy::close);
        delete(folder);
    }

    private Path disk(String name) {
        return folder.resolve(name);
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
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
