package etcdoperator.agent;

import static org.awaitility.Awaitility.await;

import etcdoperator.contract.etcd.EtcdBinary;
import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Members of one cluster as processes, each on a volume of its own, which are killed without a warning. */
final class Trio implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final String version;
    private final Path folder;
    private final List<String> more;
    private final List<Integer> ports = FreePorts.take(12);
    private final Map<Integer, Process> running = new ConcurrentHashMap<>();

    /** @param more flags of each member */
    Trio(String version, Path folder, String... more) {
        this.version = version;
        this.folder = folder;
        this.more = List.of(more);
    }

    /** @param members who are founders, or, for one that joins, those before it and itself */
    void start(int number, int members, String state) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                EtcdBinary.of(version).toString(),
                "--name=m" + number,
                "--data-dir=" + volume(number).resolve("data"),
                "--listen-client-urls=" + endpoint(number).url(),
                "--advertise-client-urls=" + endpoint(number).url(),
                "--listen-peer-urls=" + peerUrl(number),
                "--listen-metrics-urls=" + metrics(number),
                "--initial-advertise-peer-urls=" + peerUrl(number),
                "--initial-cluster-state=" + state,
                // So that the log begins with a snapshot, and old files of it go.
                "--snapshot-count=100",
                "--initial-cluster="
                        + IntStream.range(0, members)
                                .mapToObj(each -> "m" + each + "=" + peerUrl(each))
                                .collect(Collectors.joining(","))));
        command.addAll(more);
        running.put(
                number,
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log" + number).toFile())
                        .start());
    }

    Trio found() throws IOException {
        for (int i = 0; i < 3; i++) {
            start(i, 3, "new");
        }
        return this;
    }

    Path volume(int number) {
        return folder.resolve("m" + number);
    }

    Endpoint endpoint(int number) {
        return Endpoint.plain("127.0.0.1", ports.get(2 * number));
    }

    String peerUrl(int number) {
        return "http://127.0.0.1:" + ports.get(2 * number + 1);
    }

    URI metrics(int number) {
        return URI.create("http://127.0.0.1:" + ports.get(8 + number));
    }

    Etcd etcd(int number) {
        return new Etcd(version, endpoint(number)).awaitWell();
    }

    int leader() {
        return await().atMost(Duration.ofMinutes(1))
                .until(
                        () -> IntStream.range(0, 3)
                                .filter(each -> running.containsKey(each) && leads(each))
                                .findFirst()
                                .orElse(-1),
                        found -> found >= 0);
    }

    private boolean leads(int number) {
        try (EtcdClient client = new GrpcEtcdClient(endpoint(number))) {
            var status = client.status(DEADLINE);
            MemberId leader = status.leader();
            return status.knowsLeader() && leader.equals(status.memberId());
        } catch (EtcdException e) {
            return false;
        }
    }

    void kill(int number) {
        Process process = running.remove(number);
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    /** All at once, as a power cut would. */
    void killAll() {
        running.values().forEach(Process::destroyForcibly);
        List.copyOf(running.keySet()).forEach(this::kill);
    }

    @Override
    public void close() {
        killAll();
    }
}
