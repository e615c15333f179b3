package etcdoperator.contract.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import etcdoperator.domain.RestoredIds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A member on what etcdutl has restored is who it was said to be, on each line, and has its revisions far ahead. */
class RealRestoredIdsIT {
    private static final String TOKEN = "4b1c6f0e-restore";
    private static final long BUMP = 1_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final List<Integer> ports = FreePorts.take(2);

    /** 3.4 has no etcdutl of its own, and each line reads what the one before it has stored. */
    @ParameterizedTest
    @CsvSource({
        "3.4.23, 3.5.35, 3.4.23",
        "3.4.23, 3.5.35, 3.5.35",
        "3.5.35, 3.5.35, 3.5.35",
        "3.5.35, 3.6.16, 3.6.16",
        "3.6.16, 3.6.16, 3.6.16",
        "3.6.16, 3.7.3, 3.7.3",
        "3.7.3, 3.7.3, 3.7.3"
    })
    void idsFollowFromUrlAndToken(String from, String restoredWith, String runs) throws Exception {
        Path snapshot = folder.resolve("snapshot.db");
        Process before = etcd(from, "before");
        try {
            awaitPut(from);
            run(tool(from, "etcdctl"), "--endpoints=" + clientUrl(), "snapshot", "save", snapshot.toString());
        } finally {
            end(before);
        }
        run(
                tool(restoredWith, "etcdutl"),
                "snapshot",
                "restore",
                snapshot.toString(),
                "--data-dir=" + folder.resolve("after"),
                "--name=c-0",
                "--initial-cluster=c-0=" + peerUrl(),
                "--initial-cluster-token=" + TOKEN,
                "--initial-advertise-peer-urls=" + peerUrl(),
                "--bump-revision=" + BUMP,
                "--mark-compacted");
        Process after = etcd(runs, "after");
        try {
            awaitPut(runs);
            JsonNode header = new ObjectMapper()
                    .readTree(run(tool(runs, "etcdctl"), "--endpoints=" + clientUrl(), "get", "a", "-w", "json"))
                    .path("header");
            RestoredIds ids = RestoredIds.of(peerUrl(), TOKEN);
            assertThat(header.path("cluster_id").bigIntegerValue().longValue())
                    .isEqualTo(ids.clusterId().value());
            assertThat(header.path("member_id").bigIntegerValue().longValue())
                    .isEqualTo(ids.memberId().value());
            assertThat(header.path("revision").asLong()).isGreaterThan(BUMP);
        } finally {
            end(after);
        }
    }

    private String clientUrl() {
        return "http://127.0.0.1:" + ports.getFirst();
    }

    private String peerUrl() {
        return "http://127.0.0.1:" + ports.getLast();
    }

    /** With the flags of a peer that starts on its data, or, for the one before, with those of a founder. */
    private Process etcd(String version, String data) throws IOException {
        return new ProcessBuilder(
                        tool(version, "etcd"),
                        "--name=c-0",
                        "--data-dir=" + folder.resolve(data),
                        "--listen-peer-urls=" + peerUrl(),
                        "--initial-advertise-peer-urls=" + peerUrl(),
                        "--initial-cluster=c-0=" + peerUrl(),
                        "--initial-cluster-state=" + (data.equals("after") ? "existing" : "new"),
                        "--listen-client-urls=" + clientUrl(),
                        "--advertise-client-urls=" + clientUrl())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(data + ".log").toFile())
                .start();
    }

    private void awaitPut(String version) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                run(tool(version, "etcdctl"), "--endpoints=" + clientUrl(), "put", "a", "b");
                return;
            } catch (IllegalStateException e) {
                if (System.nanoTime() > end) {
                    throw e;
                }
                Thread.sleep(200);
            }
        }
    }

    private static String tool(String version, String name) {
        return EtcdBinary.of(version).resolveSibling(name).toString();
    }

    private static String run(String... command) throws Exception {
        var builder = new ProcessBuilder(new ArrayList<>(List.of(command)));
        builder.environment().put("ETCDCTL_API", "3");
        Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
        }
        return output;
    }

    private static void end(Process process) {
        process.destroyForcibly().onExit().join();
    }
}
