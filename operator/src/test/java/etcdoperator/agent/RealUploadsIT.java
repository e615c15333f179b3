package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.store.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of an upload to versitygw when something happens to the agent, or to the bucket. */
class RealUploadsIT {
    private static final Map<String, String> KEYS =
            Map.of("AWS_ACCESS_KEY_ID", "tester", "AWS_SECRET_ACCESS_KEY", "a-very-secret-key");

    @TempDir
    Path folder;

    private final int port = FreePorts.take(1).getFirst();
    private ServerProcess gateway;
    private Path bucket;

    @BeforeEach
    void start() throws IOException {
        bucket = Files.createDirectories(folder.resolve("data/backups"));
        Files.createDirectories(folder.resolve("more"));
        gateway = new ServerProcess(
                List.of(
                        ServerProcess.program("versitygw").toString(),
                        "--quiet",
                        "--port=127.0.0.1:" + port,
                        "posix",
                        "--sidecar=" + folder.resolve("more"),
                        folder.resolve("data").toString()),
                Map.of("ROOT_ACCESS_KEY", "tester", "ROOT_SECRET_KEY", "a-very-secret-key"),
                folder.resolve("gateway-log"),
                port);
        writeDatabase(250_000_000);
    }

    @AfterEach
    void stop() {
        gateway.kill();
    }

    @Test
    void whoIsKilledLeavesNothingAndTheNextOneStartsOver() throws IOException {
        backup(KEYS).awaitTransfer().kill();
        assertThat(objects()).isEmpty();
        Result again = backup(KEYS).result();
        assertThat(again.exitCode()).as(again.message()).isZero();
        assertThat(objects()).containsExactly("x.db", "x.db.json");
        Path volume = Files.createDirectory(folder.resolve("volume"));
        Result fetched =
                agent(KEYS, "fetch", "--path=x.db", "--to=" + volume, "--uid=u").result();
        assertThat(fetched.exitCode()).as(fetched.message()).isZero();
        assertThat(fetched.report().revision()).isEqualTo(3);
    }

    @Test
    void whoIsToldToEndTakesBackWhatItSent() throws IOException {
        Result ended = backup(KEYS).awaitTransfer().terminate().result();
        assertThat(ended.exitCode()).isEqualTo(ExitCodes.FOR_NOW);
        assertThat(ended.message()).contains("this process is ending");
        assertThat(objects()).isEmpty();
        try (Stream<Path> left = Files.walk(folder.resolve("data"))) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }

    @Test
    void wrongCredentialsAndAMissingBucketNeedAPerson() throws IOException {
        Map<String, String> wrong = Map.of("AWS_ACCESS_KEY_ID", "tester", "AWS_SECRET_ACCESS_KEY", "not-this-one");
        Result denied = backup(wrong).result();
        assertThat(denied.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(denied.message()).contains("check the credentials").doesNotContain("not-this-one");
        Files.delete(bucket);
        Result gone = backup(KEYS).result();
        assertThat(gone.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(gone.message()).contains("s3://backups does not exist");
    }

    @Test
    void oneBitInTheBucketIsNoticed() throws IOException {
        writeDatabase(20_000_000);
        assertThat(backup(KEYS).result().exitCode()).isZero();
        byte[] bytes = Files.readAllBytes(bucket.resolve("x.db"));
        bytes[5_000_000] ^= 1;
        Files.write(bucket.resolve("x.db"), bytes);
        Path volume = Files.createDirectory(folder.resolve("volume"));
        Result fetched =
                agent(KEYS, "fetch", "--path=x.db", "--to=" + volume, "--uid=u").result();
        assertThat(fetched.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(fetched.message()).contains("s3://backups/x.db").contains("corrupt");
    }

    private AgentProcess backup(Map<String, String> keys) throws IOException {
        return agent(keys, "backup", "--data-dir=" + folder, "--path=x.db", "--time=2026-01-31T12:00:00Z");
    }

    private AgentProcess agent(Map<String, String> keys, String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of(
                "--bucket-url=s3://backups",
                "--endpoint=http://127.0.0.1:" + port,
                "--allowed-endpoints=http://127.0.0.1",
                "--credentials=aws",
                "--credentials-dir=" + files(keys)));
        return new AgentProcess(folder, all.toArray(String[]::new));
    }

    /** As Kubernetes mounts a Secret. */
    private Path files(Map<String, String> secret) throws IOException {
        Path mounted = Files.createTempDirectory(folder, "secret");
        for (var key : secret.entrySet()) {
            Files.writeString(mounted.resolve(key.getKey()), key.getValue());
        }
        return mounted;
    }

    private List<String> objects() throws IOException {
        try (Stream<Path> files = Files.list(bucket)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private void writeDatabase(int size) throws IOException {
        var file = new BoltFile();
        int keys = file.leaf(BoltFile.revision(2, size), BoltFile.revision(3, 5));
        Path database = folder.resolve("member/snap/db");
        Files.createDirectories(database.getParent());
        byte[] content = file.withRoot(file.leaf(BoltFile.bucket("key", keys)));
        Files.write(database, content);
    }
}
