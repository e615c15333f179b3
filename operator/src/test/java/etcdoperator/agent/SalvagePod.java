package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.contract.etcd.EtcdBinary;
import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.etcd.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What follows in the pod of a restore once a survivor's disk is copied, with real processes. */
final class SalvagePod {
    private final AgentTrial agent;
    private final Path folder;
    private final Path target;
    private final List<Integer> ports = FreePorts.take(4);

    SalvagePod(AgentTrial agent, Path folder, Path target) {
        this.agent = agent;
        this.folder = folder;
        this.target = target;
    }

    Result capture(String... more) {
        List<String> flags = new ArrayList<>(List.of("--to=" + target, "--uid=u", "--endpoint=" + url(0)));
        flags.addAll(List.of(more));
        return agent.run(new CaptureCommand(), flags.toArray(String[]::new));
    }

    /** All that follows in the pod, and then the cluster of one. */
    Set<String> keysAfter(String version, String tools) throws Exception {
        Process throwAway = throwAway(version);
        try {
            Result captured = capture();
            assertThat(captured.exitCode()).as(captured.message()).isZero();
            restore(tools);
            assertThat(agent.run(new FinishCommand(), "--to=" + target, "--uid=u")
                            .exitCode())
                    .isZero();
            assertThat(target.resolve("restore")).doesNotExist();
        } finally {
            throwAway.destroyForcibly().onExit().join();
        }
        Process member = etcd(
                version,
                target.resolve("data"),
                2,
                "--name=new",
                "--initial-cluster=new=" + url(3),
                "--initial-cluster-state=existing");
        try (Etcd etcd = new Etcd(version, Endpoint.plain("127.0.0.1", ports.get(2))).awaitWell()) {
            assertThat(etcd.revision()).isGreaterThan(1_000_000_000L);
            return etcd.keys("key-");
        } finally {
            member.destroyForcibly().onExit().join();
        }
    }

    Process throwAway(String version) throws IOException {
        return etcd(
                version,
                target.resolve("restore/copy"),
                0,
                "--name=throw-away",
                "--heartbeat-interval=20",
                "--election-timeout=200",
                "--quota-backend-bytes=-1",
                "--force-new-cluster");
    }

    private void restore(String tools) {
        Etcd.tool(
                tools,
                "etcdutl",
                "snapshot",
                "restore",
                target.resolve("restore/snapshot.db").toString(),
                "--data-dir=" + target.resolve("restore/data"),
                "--name=new",
                "--initial-cluster=new=" + url(3),
                "--initial-cluster-token=u",
                "--initial-advertise-peer-urls=" + url(3),
                "--bump-revision=1000000000",
                "--mark-compacted");
    }

    private Process etcd(String version, Path data, int port, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                EtcdBinary.of(version).toString(),
                "--data-dir=" + data,
                "--listen-client-urls=" + url(port),
                "--advertise-client-urls=" + url(port),
                "--listen-peer-urls=" + url(port + 1),
                "--initial-advertise-peer-urls=" + url(port + 1)));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log-of-" + port).toFile())
                .start();
    }

    private String url(int port) {
        return "http://127.0.0.1:" + ports.get(port);
    }
}
