package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.contract.etcd.EtcdBinary;
import etcdoperator.contract.etcd.FreePorts;
import etcdoperator.contract.etcd.OneMember;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.TlsMaterial;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a real etcd to a real etcd. */
class RealBackupsIT {
    private static final String VERSION = "3.6.16";

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

    /** 3.4 has no etcdutl: what it wrote is restored by the next one's, and runs there. */
    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35,none", "3.5.35,3.5.35,gzip", "3.6.16,3.6.16,none", "3.7.3,3.7.3,gzip"})
    void whatIsFetchedBootsWithItsData(String from, String to, String compression) throws Exception {
        try (OneMember member = OneMember.plain(from);
                Etcd etcd = new Etcd(from, member.endpoint("")).awaitWell()) {
            etcd.put("greeting", "hello");
            etcd.put(100, 10_000);
            Result stored = backup("--endpoints=" + member.endpoint("").url(), "--compression=" + compression);
            assertThat(stored.report().clusterId()).isNotBlank();
        }
        fetchAndBoot(to);
    }

    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35", "3.5.35,3.5.35", "3.6.16,3.6.16", "3.7.3,3.7.3"})
    void aMemberThatWasKilledIsReadFromItsVolume(String from, String to) throws Exception {
        try (OneMember member = OneMember.plain(from);
                Etcd etcd = new Etcd(from, member.endpoint("")).awaitWell()) {
            etcd.put("greeting", "hello");
            etcd.put(100, 10_000);
            // What is in the log alone would be lost; a tenth of a second later it is in the database.
            await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
            long revision = etcd.revision();
            member.kill();
            Result stored = backup("--data-dir=" + member.dataDir(), "--etcd-version=" + from, "--cluster-id=abc123");
            assertThat(stored.report().revision()).isEqualTo(revision);
            assertThat(stored.report().clusterId()).isEqualTo("abc123");
            assertThat(stored.report().source()).endsWith("member/snap/db");
        }
        fetchAndBoot(to);
    }

    @Test
    void certificatesAndPasswordsAreShown() throws Exception {
        try (OneMember member = OneMember.secure(VERSION)) {
            Endpoint endpoint = member.endpoint("agent");
            Path tls = written(endpoint.tls().orElseThrow());
            Path root = Files.createDirectory(folder.resolve("root"));
            Files.writeString(root.resolve("username"), "root");
            Files.writeString(root.resolve("password"), "wrong\n");
            String url = "--endpoints=" + endpoint.url();
            try (var client = new GrpcEtcdClient(endpoint)) {
                await().atMost(Duration.ofMinutes(1))
                        .ignoreExceptions()
                        .untilAsserted(() -> client.linearizableRead(Duration.ofSeconds(5)));
                assertThat(run(url, "--tls-dir=" + tls).exitCode()).isZero();
                enableAuth(client.accounts());
            }
            Result nobody = run(url, "--tls-dir=" + tls);
            assertThat(nobody.exitCode()).isEqualTo(ExitCodes.FATAL);
            assertThat(nobody.message()).contains("asks for a user and a password");
            Result wrong = run(url, "--tls-dir=" + tls, "--root-dir=" + root);
            assertThat(wrong.exitCode()).isEqualTo(ExitCodes.FATAL);
            assertThat(wrong.message()).contains("does not take the password of user root");
            Files.writeString(root.resolve("password"), "secret\n");
            assertThat(run(url, "--tls-dir=" + tls, "--root-dir=" + root).exitCode())
                    .isZero();
            assertThat(run(url).message()).contains("wants TLS");
        }
    }

    @Test
    void oneOfThreeIsEnough() throws Exception {
        List<Process> members = new ArrayList<>();
        List<Integer> ports = FreePorts.take(6);
        try {
            for (int i = 0; i < 3; i++) {
                members.add(start(i, ports));
            }
            Endpoint first = Endpoint.plain("127.0.0.1", ports.getFirst());
            try (Etcd etcd = new Etcd(VERSION, first).awaitWell()) {
                etcd.put("greeting", "hello");
                members.get(1).destroyForcibly().onExit().join();
                members.get(2).destroyForcibly().onExit().join();
                // Those that are gone are asked first.
                Result stored = backup("--endpoints=http://127.0.0.1:" + ports.get(2) + ",http://127.0.0.1:"
                        + ports.get(4) + "," + first.url());
                assertThat(stored.report().revision()).isEqualTo(etcd.revision());
            }
        } finally {
            members.forEach(member -> member.destroyForcibly().onExit().join());
        }
        fetchAndBoot(VERSION);
    }

    private Process start(int number, List<Integer> ports) throws IOException {
        String client = "http://127.0.0.1:" + ports.get(2 * number);
        String peer = "http://127.0.0.1:" + ports.get(2 * number + 1);
        return new ProcessBuilder(
                        EtcdBinary.of(VERSION).toString(),
                        "--name=m" + number,
                        "--data-dir=" + folder.resolve("m" + number),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=m0=http://127.0.0.1:" + ports.get(1) + ",m1=http://127.0.0.1:" + ports.get(3)
                                + ",m2=http://127.0.0.1:" + ports.get(5))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log" + number).toFile())
                .start();
    }

    private void fetchAndBoot(String version) throws Exception {
        Result fetched = agent.run(new FetchCommand(), "--folder=" + store, "--path=x.db", "--to=" + volume, "--uid=u");
        assertThat(fetched.exitCode()).as(fetched.message()).isZero();
        List<Integer> ports = FreePorts.take(2);
        String peer = "http://127.0.0.1:" + ports.getLast();
        String client = "http://127.0.0.1:" + ports.getFirst();
        Etcd.tool(
                version,
                "etcdutl",
                "snapshot",
                "restore",
                volume.resolve("restore/snapshot.db").toString(),
                "--data-dir=" + volume.resolve("restore/data"),
                "--name=new",
                "--initial-cluster=new=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--bump-revision=1000000000",
                "--mark-compacted");
        assertThat(agent.run(new FinishCommand(), "--to=" + volume, "--uid=u").exitCode())
                .isZero();
        Process process = new ProcessBuilder(
                        EtcdBinary.of(version).toString(),
                        "--name=new",
                        "--data-dir=" + volume.resolve("data"),
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peer)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("new-log").toFile())
                .start();
        try (Etcd etcd = new Etcd(version, Endpoint.plain("127.0.0.1", ports.getFirst())).awaitWell()) {
            assertThat(etcd.get("greeting")).isEqualTo("hello");
            assertThat(etcd.revision()).isGreaterThan(1_000_000_000L);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private Result backup(String... flags) {
        Result stored = run(flags);
        assertThat(stored.exitCode()).as(stored.message()).isZero();
        return stored;
    }

    private Result run(String... flags) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.addAll(List.of("--folder=" + store, "--path=x.db", "--time=2026-01-31T12:00:00Z"));
        return agent.run(new BackupCommand(), all.toArray(String[]::new));
    }

    private Path written(TlsMaterial tls) throws IOException {
        Path folderOfTls = Files.createDirectory(folder.resolve("tls"));
        Files.writeString(folderOfTls.resolve("tls.crt"), tls.certificateChain());
        Files.writeString(folderOfTls.resolve("tls.key"), tls.privateKey());
        Files.writeString(folderOfTls.resolve("ca.crt"), tls.trustedCertificates());
        return folderOfTls;
    }

    private static void enableAuth(Accounts accounts) throws Exception {
        Duration deadline = Duration.ofSeconds(10);
        accounts.addUser("root", Optional.of("secret"), deadline);
        accounts.addRole("root", deadline);
        accounts.grantRole("root", "root", deadline);
        accounts.enable(deadline);
    }
}
