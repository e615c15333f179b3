package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.agentreport.ReportText;
import etcdoperator.contract.etcd.EtcdBinary;
import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.contract.etcd.OneMember;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** What a real etcd says of its keys when it is backed up is what one says that runs on the backup, on each line. */
@ParameterizedClass
@CsvSource({"3.4.23,3.5.35", "3.5.35,3.5.35", "3.6.16,3.6.16", "3.7.3,3.7.3"})
class RealDrillsIT {
    @Parameter(0)
    String version;

    /** 3.4 has no etcdutl. */
    @Parameter(1)
    String tools;

    @TempDir
    Path folder;

    private AgentTrial agent;
    private Path store;
    private Path volume;

    @BeforeEach
    void lay() throws IOException {
        agent = new AgentTrial(folder);
        store = Files.createDirectory(folder.resolve("store"));
        volume = Files.createDirectory(folder.resolve("volume"));
    }

    @Test
    void hashAndKeysAreThoseOfTheBackup() throws Exception {
        AgentReport taken;
        try (OneMember member = OneMember.plain(version, "--unsafe-no-fsync");
                Etcd etcd = new Etcd(version, member.endpoint("")).awaitWell()) {
            etcd.put(200, 100);
            etcd.put(100, 50);
            etcd.put(100, 50);
            etcd.ctl("del", "key-100-1", "--prefix");
            etcd.ctl("compact", "--physical", Long.toString(etcd.revision() - 50));
            etcd.put("greeting", "hello");
            etcd.put("gone", "soon");
            etcd.ctl("del", "gone");
            taken = backup(member);
        }
        Contents recorded = taken.contents();
        // Of the first 200 those are gone whose number begins with 1: 1, 10 to 19 and 100 to 199.
        assertThat(recorded.keys()).isEqualTo(200 - 111 + 100 + 1);
        assertThat(recorded.hashKV()).isBetween(0L, 0xffff_ffffL);
        assertThat(recorded.compactRevision()).isPositive();
        assertThat(sidecar().contents()).isEqualTo(recorded);

        try (Restored restored = restore()) {
            Result passed = restored.drill(taken.revision(), recorded);
            assertThat(passed.exitCode()).as(passed.message()).isZero();
            assertThat(passed.message()).contains(recorded.keys() + " keys and their hash");
            assertThat(passed.report().contents()).isEqualTo(recorded);

            Result otherHash = restored.drill(
                    taken.revision(), new Contents(recorded.hashKV() ^ 1, recorded.compactRevision(), recorded.keys()));
            assertThat(otherHash.exitCode()).isEqualTo(ExitCodes.FATAL);
            Result otherCount = restored.drill(
                    taken.revision(), new Contents(recorded.hashKV(), recorded.compactRevision(), recorded.keys() + 1));
            assertThat(otherCount.exitCode()).isEqualTo(ExitCodes.FATAL);
            Result further = restored.drill(taken.revision() + 1000, recorded);
            assertThat(further.exitCode()).isEqualTo(ExitCodes.FATAL);
            assertThat(further.message()).contains("revision " + (taken.revision() + 1000) + " was recorded");
        }
    }

    /** One value that is another one, under the same key and at the same revision, is found by the hash alone. */
    @Test
    void oneValueThatIsAnotherOneFails() throws Exception {
        AgentReport taken;
        try (OneMember member = OneMember.plain(version, "--unsafe-no-fsync");
                Etcd etcd = new Etcd(version, member.endpoint("")).awaitWell()) {
            etcd.put("greeting", "hello");
            taken = backup(member);
        }
        try (OneMember member = OneMember.plain(version, "--unsafe-no-fsync");
                Etcd etcd = new Etcd(version, member.endpoint("")).awaitWell()) {
            etcd.put("greeting", "hullo");
            assertThat(backup(member).revision()).isEqualTo(taken.revision());
        }
        try (Restored restored = restore()) {
            Result failed = restored.drill(taken.revision(), taken.contents());
            assertThat(failed.exitCode()).isEqualTo(ExitCodes.FATAL);
            assertThat(failed.message()).contains("have the hash");
        }
    }

    @Test
    void anEmptyOneIsTriedToo() throws Exception {
        AgentReport taken;
        try (OneMember member = OneMember.plain(version, "--unsafe-no-fsync");
                Etcd etcd = new Etcd(version, member.endpoint("")).awaitWell()) {
            assertThat(etcd.revision()).isEqualTo(1);
            taken = backup(member);
        }
        try (Restored restored = restore()) {
            Result passed = restored.drill(taken.revision(), taken.contents());
            assertThat(passed.exitCode()).as(passed.message()).isZero();
        }
    }

    /** Users come along with a backup, and ask for their password again. */
    @Test
    void oneThatAsksForAPasswordIsToldIt() throws Exception {
        Path root = Files.createDirectory(folder.resolve("root"));
        Files.writeString(root.resolve("username"), "root");
        Files.writeString(root.resolve("password"), "secret");
        AgentReport taken;
        try (OneMember member = OneMember.plain(version, "--unsafe-no-fsync");
                Etcd etcd = new Etcd(version, member.endpoint("")).awaitWell();
                var client = new GrpcEtcdClient(member.endpoint(""))) {
            etcd.put("greeting", "hello");
            enableAuth(client.accounts());
            taken = backup(member, "--root-dir=" + root);
        }
        assertThat(taken.contents().keys()).isEqualTo(1);
        try (Restored restored = restore()) {
            Result denied = restored.drill(taken.revision(), taken.contents());
            assertThat(denied.exitCode()).as(denied.message()).isEqualTo(ExitCodes.FATAL);
            Result passed = restored.drill(taken.revision(), taken.contents(), "--root-dir=" + root);
            assertThat(passed.exitCode()).as(passed.message()).isZero();
        }
    }

    private static void enableAuth(Accounts accounts) throws EtcdException {
        Duration deadline = Duration.ofSeconds(10);
        accounts.addUser("root", Optional.of("secret"), deadline);
        accounts.addRole("root", deadline);
        accounts.grantRole("root", "root", deadline);
        accounts.enable(deadline);
    }

    private AgentReport backup(OneMember member, String... more) {
        List<String> flags = new ArrayList<>(List.of(more));
        flags.addAll(List.of(
                "--endpoints=" + member.endpoint("").url(),
                "--folder=" + store,
                "--path=x.db",
                "--time=2026-01-31T12:00:00Z"));
        Result stored = agent.run(new BackupCommand(), flags.toArray(String[]::new));
        assertThat(stored.exitCode()).as(stored.message()).isZero();
        return stored.report();
    }

    private AgentReport sidecar() throws IOException {
        return ReportText.read(Files.readString(store.resolve("x.db.json"))).orElseThrow();
    }

    private Restored restore() throws IOException {
        Result fetched = agent.run(new FetchCommand(), "--folder=" + store, "--path=x.db", "--to=" + volume, "--uid=u");
        assertThat(fetched.exitCode()).as(fetched.message()).isZero();
        List<Integer> ports = FreePorts.take(2);
        String peer = "http://127.0.0.1:" + ports.getLast();
        String client = "http://127.0.0.1:" + ports.getFirst();
        Etcd.tool(
                tools,
                "etcdutl",
                "snapshot",
                "restore",
                volume.resolve("restore/snapshot.db").toString(),
                "--data-dir=" + volume.resolve("restore/data"),
                "--name=throw-away",
                "--initial-cluster=throw-away=" + peer,
                "--initial-advertise-peer-urls=" + peer);
        Process etcd = new ProcessBuilder(
                        EtcdBinary.of(version).toString(),
                        "--name=throw-away",
                        "--data-dir=" + volume.resolve("restore/data"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--quota-backend-bytes=-1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        return new Restored(agent, etcd, client);
    }

    /** The throw-away etcd. */
    private record Restored(AgentTrial agent, Process etcd, String url) implements AutoCloseable {
        Result drill(long revision, Contents recorded, String... more) {
            List<String> flags = new ArrayList<>(List.of("--url=" + url, "--revision=" + revision, "--patience=120"));
            flags.addAll(List.of(more));
            flags.add("--hash-kv=" + recorded.hashKV());
            flags.add("--compact-revision=" + recorded.compactRevision());
            flags.add("--keys=" + recorded.keys());
            return agent.run(new DrillCommand(), flags.toArray(String[]::new));
        }

        @Override
        public void close() {
            etcd.destroyForcibly().onExit().join();
        }
    }
}
