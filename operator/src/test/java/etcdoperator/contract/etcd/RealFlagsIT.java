package etcdoperator.contract.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.api.EtcdOptions;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.manifest.flags.EtcdFlags;
import etcdoperator.manifest.flags.FlagTable;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the flags that are passed on against etcd itself, of each line that is tested. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealFlagsIT {
    private static final Pattern FLAG = Pattern.compile("(?m)^ +--([a-z0-9-]+)");

    /** 3.7 still prints them, and exits when it sees them. */
    private static final Set<String> GONE = Set.of("discovery", "discovery-proxy");

    private static final String EVERYWHERE = """
            quotaBackendBytes: 8589934592
            autoCompaction: {mode: Periodic, retention: 1h30m}
            snapshotCount: 5000
            heartbeatInterval: 250ms
            electionTimeout: 2s500ms
            extraArgs:
              auth-token-ttl: '600'
              corrupt-check-time: 1h
              enable-pprof: 'true'
              experimental-backend-bbolt-freelist-type: array
              experimental-compaction-batch-limit: '500'
              experimental-watch-progress-notify-interval: 5m
              initial-election-tick-advance: 'false'
              log-level: warn
              max-txn-ops: '256'
              metrics: extensive
              warning-apply-duration: 200ms
            """;

    /** With the first gate alone 3.4 panics while it warns of that, unless its logger is zap. */
    private static final String OLDEST =
            "feature-gates: LeaseCheckpoint=true,LeaseCheckpointPersist=true,InitialCorruptCheck=true";

    private static final String NEWER = """
            bootstrap-defrag-threshold-megabytes: '100'
            compact-hash-check-time: 2m
            compaction-sleep-interval: 20ms
            downgrade-check-time: 10s
            experimental-distributed-tracing-address: 127.0.0.1:4317
            experimental-enable-distributed-tracing: 'false'
            experimental-initial-corrupt-check: 'true'
            experimental-stop-grpc-service-on-defrag: 'true'
            feature-gates: CompactHashCheck=true,LeaseCheckpoint=true,TxnModeWriteWithSharedBuffer=false
            raft-read-timeout: 10s
            snapshot-catchup-entries: '5000'
            """;

    @Parameter
    String version;

    @TempDir
    Path folder;

    @Test
    void everyFlagOfItsHelpIsKnown() throws Exception {
        Path help = folder.resolve("help");
        run(List.of("--help"), help).waitFor();

        List<String> flags = FLAG.matcher(Files.readString(help))
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(flag ->
                        !GONE.contains(flag) || EtcdVersion.parse(version).minor() < 7)
                .toList();

        assertThat(flags)
                .hasSizeGreaterThan(70)
                .allSatisfy(flag -> assertThat(EtcdFlags.problem(withFlag(flag), EtcdVersion.parse(version)))
                        .isEmpty());
    }

    @Test
    void itTakesWhatTheTableSays() throws Exception {
        int line = EtcdVersion.TESTED_LINES.indexOf(EtcdVersion.parse(version).clusterVersion());
        for (FlagTable.Row row : FlagTable.rows()) {
            String cell = row.cells().get(line);
            if (cell.equals("gate") || row.isOnlyAGate()) {
                assertThat(takes("feature-gates", row.more() + "=true"))
                        .as(row.toString())
                        .isEqualTo(cell.equals("gate"));
            } else {
                assertThat(takes(row.name(), "x"))
                        .as(row.toString())
                        .isEqualTo(cell.equals("yes") || cell.equals("both"));
            }
            if (row.lostItsPrefix()) {
                assertThat(takes("experimental-" + row.name(), "x"))
                        .as(row.toString())
                        .isEqualTo(cell.equals("exp") || cell.equals("both"));
            }
        }
    }

    /** Instead of its help, etcd prints what is wrong with the flag, and says so where it has none of this name. */
    private boolean takes(String flag, String value) throws Exception {
        Path output = folder.resolve("output");
        run(List.of("--" + flag + "=" + value, "--help"), output).waitFor();
        String said = Files.readString(output);
        return !said.contains("flag provided but not defined") && !said.contains("unrecognized feature gate");
    }

    @Test
    void itStartsWithAllThatUsersMaySet() throws Exception {
        EtcdOptions options = Serialization.unmarshal(
                EVERYWHERE + (EtcdVersion.parse(version).minor() == 4 ? OLDEST : NEWER).indent(2), EtcdOptions.class);
        assertThat(EtcdFlags.problem(options, EtcdVersion.parse(version))).isEmpty();

        List<Integer> ports = FreePorts.take(2);
        String client = "http://127.0.0.1:" + ports.get(0);
        String peer = "http://127.0.0.1:" + ports.get(1);
        List<String> flags = new ArrayList<>(List.of(
                "--data-dir=" + folder.resolve("data"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer));
        flags.addAll(EtcdFlags.of(options, EtcdVersion.parse(version)));
        Path log = folder.resolve("log");
        Process etcd = run(flags, log);
        try {
            await().atMost(Duration.ofSeconds(30)).until(() -> !etcd.isAlive() || isHealthy(client));
            assertThat(etcd.isAlive()).as(() -> read(log)).isTrue();
        } finally {
            etcd.destroyForcibly().onExit().join();
        }
    }

    private static EtcdOptions withFlag(String flag) {
        String value = flag.equals("feature-gates") ? "AllBeta=true" : "x";
        return new EtcdOptions(null, null, null, null, null, Map.of(flag, value));
    }

    private Process run(List<String> flags, Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(EtcdBinary.of(version).toString()));
        command.addAll(flags);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    private static boolean isHealthy(String url) {
        try {
            var health = (HttpURLConnection) URI.create(url + "/health").toURL().openConnection();
            return health.getResponseCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
