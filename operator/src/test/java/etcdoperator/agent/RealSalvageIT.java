package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.etcd.grpc.MetricsSoundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A majority of real members is lost while clients write, and what they were told is there must be there afterwards. */
class RealSalvageIT {
    private static final String VERSION = "3.6.16";
    private static final int WRITERS = 8;

    @TempDir
    Path folder;

    private AgentTrial agent;
    private Path target;
    private SalvagePod pod;

    @BeforeEach
    void lay() throws IOException {
        agent = new AgentTrial(folder);
        target = Files.createDirectory(folder.resolve("target"));
        pod = new SalvagePod(agent, folder, target);
    }

    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35", "3.5.35,3.5.35", "3.6.16,3.6.16", "3.7.3,3.7.3"})
    void nothingIsLostThatTheLeaderHadAcknowledged(String version, String tools) throws Exception {
        try (Trio members = new Trio(version, folder).found()) {
            int leader = members.leader();
            Set<String> acknowledged = writeUntil(members, leader, 600, members::killAll);
            salvage("m" + leader);
            assertThat(pod.keysAfter(version, tools)).containsAll(acknowledged);
        }
    }

    /** One that is started without a quorum lets no client in; its metrics tell what it knows to be agreed on. */
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
    void aSurvivorThatAnswersNobodyTellsItsRevision(String version) throws Exception {
        try (Trio members = new Trio(version, folder).found()) {
            try (Etcd etcd = members.etcd(members.leader())) {
                etcd.put("a", "x");
                etcd.put("b", "x");
            }
            members.killAll();
            members.start(0, 3, "existing");
            var soundings = new MetricsSoundings(members.metrics(0).getPort());
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(soundings.revisionAt(members.endpoint(0)))
                            .hasValueSatisfying(revision -> assertThat(revision).isBetween(1L, 3L)));
        }
    }

    /** A write that a follower has stored but knows nothing of yet may have been acknowledged by the others. */
    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35", "3.5.35,3.5.35", "3.6.16,3.6.16", "3.7.3,3.7.3"})
    void whatIsNotKnownToBeAgreedOnCounts(String version, String tools) throws Exception {
        try (Trio members = new Trio(version, folder).found()) {
            int leader = members.leader();
            try (Etcd etcd = members.etcd(leader)) {
                etcd.put("key-before", "x");
                IntStream.range(0, 3).filter(each -> each != leader).forEach(members::kill);
                assertThatThrownBy(() -> etcd.put("key-alone", "x", Duration.ofSeconds(2)))
                        .isInstanceOf(ExecutionException.class);
            }
            members.killAll();
            Result salvaged = salvage("m" + leader);
            assertThat(salvaged.message()).doesNotContain(" 0 entries");
            assertThat(pod.keysAfter(version, tools)).contains("key-before", "key-alone");
        }
    }

    /** As large as --max-request-bytes allows. etcd 3.4 cannot read records above 10 MiB itself: it writes them and never starts again. */
    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35,8", "3.5.35,3.5.35,40", "3.6.16,3.6.16,40", "3.7.3,3.7.3,40"})
    void aLogWithALargeRequestIsRead(String version, String tools, int mebibytes) throws Exception {
        try (Trio members = new Trio(version, folder, "--max-request-bytes=" + (64 << 20))) {
            members.start(0, 1, "new");
            try (Etcd etcd = members.etcd(0)) {
                etcd.put("key-large", "x".repeat(mebibytes << 20), Duration.ofMinutes(1));
                etcd.put("key-after", "x");
            }
            members.killAll();
            salvage("m0");
            assertThat(pod.keysAfter(version, tools)).contains("key-large", "key-after");
        }
    }

    /** The leader's disk is lost, and one of the followers lags behind. */
    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35", "3.5.35,3.5.35", "3.6.16,3.6.16", "3.7.3,3.7.3"})
    void ofTwoFollowersTheOneIsTakenThatGoesFurthest(String version, String tools) throws Exception {
        try (Trio members = new Trio(version, folder).found()) {
            int leader = members.leader();
            int laggard = (leader + 1) % 3;
            int other = (leader + 2) % 3;
            Set<String> first = writeUntil(members, leader, 200, () -> members.kill(laggard));
            try (Etcd etcd = members.etcd(leader)) {
                etcd.put("key-late", "x");
            }
            members.killAll();
            Result salvaged = salvage("m" + laggard, "m" + other);
            assertThat(salvaged.report().source()).isEqualTo("m" + other);
            assertThat(pod.keysAfter(version, tools)).containsAll(first).contains("key-late");
        }
    }

    @ParameterizedTest
    @CsvSource({"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
    void theDiskOfALearnerIsRefused(String version) throws Exception {
        try (Trio members = new Trio(version, folder)) {
            members.start(0, 1, "new");
            try (Etcd etcd = members.etcd(0);
                    EtcdClient client = new GrpcEtcdClient(members.endpoint(0))) {
                etcd.put(300, 100);
                client.add(members.peerUrl(1), true, Duration.ofSeconds(10));
                members.start(1, 2, "existing");
                try (EtcdClient learner = new GrpcEtcdClient(members.endpoint(1))) {
                    await().atMost(Duration.ofMinutes(1))
                            .ignoreExceptions()
                            .until(() -> learner.status(Duration.ofSeconds(5)).revision() >= etcd.revision());
                }
            }
            members.killAll();
            Result refused = run(new SurveyCommand(), "m1");
            assertThat(refused.exitCode()).isEqualTo(ExitCodes.FATAL);
            assertThat(refused.message()).contains("claim m1 is of a learner");
            assertThat(voters("m1")).isEqualTo(voters("m0")).hasSize(1);
        }
    }

    /** As an administrator may have promoted it, of which no list of the operator's tells. */
    @ParameterizedTest
    @CsvSource({"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
    void theDisksTellThatALearnerWasPromoted(String version) throws Exception {
        try (Trio members = new Trio(version, folder)) {
            members.start(0, 1, "new");
            members.etcd(0).close(); // it serves by then
            try (EtcdClient client = new GrpcEtcdClient(members.endpoint(0))) {
                client.add(members.peerUrl(1), true, Duration.ofSeconds(10));
                members.start(1, 2, "existing");
                MemberId learner = client.members(Duration.ofSeconds(10)).stream()
                        .filter(EtcdClient.ListedMember::learner)
                        .findFirst()
                        .orElseThrow()
                        .id();
                await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> {
                    client.promote(learner, Duration.ofSeconds(5));
                    return true;
                });
                members.killAll();
                assertThat(voters("m0")).contains(learner.toString()).hasSize(2);
            }
        }
    }

    private List<String> voters(String claim) {
        Result told = run(new SurveyCommand(), claim, "--voters-only=true");
        assertThat(told.exitCode()).as(told.message()).isZero();
        return told.report().voters();
    }

    @Test
    void aSpoiltDiskIsPassedOverForTheNext() throws Exception {
        try (Trio members = new Trio(VERSION, folder).found()) {
            int leader = members.leader();
            int other = (leader + 1) % 3;
            Set<String> acknowledged = writeUntil(members, leader, 300, () -> {});
            members.killAll();
            spoil(members.volume(leader));
            Result salvaged = salvage("m" + leader, "m" + other, "m" + (leader + 2) % 3);
            assertThat(salvaged.report().source()).isNotEqualTo("m" + leader);
            assertThat(run(new SurveyCommand(), "m" + leader).message()).contains("m" + leader + " has a damaged log");
            assertThat(pod.keysAfter(VERSION, VERSION)).containsAll(acknowledged);
        }
    }

    @ParameterizedTest
    @CsvSource({"3.4.23,3.5.35", "3.6.16,3.6.16"})
    void whereEtcdAsksForAPasswordTheAgentHasIt(String version, String tools) throws Exception {
        try (Trio members = new Trio(version, folder)) {
            members.start(0, 1, "new");
            try (Etcd etcd = members.etcd(0);
                    EtcdClient client = new GrpcEtcdClient(members.endpoint(0))) {
                etcd.put("key-guarded", "x");
                enableAuth(client.accounts());
            }
            members.killAll();
            salvage("m0");
            Path root = Files.createDirectory(folder.resolve("root"));
            Process etcd = pod.throwAway(version);
            try {
                Result nobody = pod.capture("--root-dir=" + root);
                assertThat(nobody.exitCode()).isEqualTo(ExitCodes.FATAL);
                assertThat(nobody.message()).contains("asks for a user and a password");
                Files.writeString(root.resolve("username"), "root");
                Files.writeString(root.resolve("password"), "secret");
                Result captured = pod.capture("--root-dir=" + root);
                assertThat(captured.exitCode()).as(captured.message()).isZero();
                assertThat(captured.report().revision())
                        .isEqualTo(Etcd.revisionByTools(tools, target.resolve("restore/snapshot.db")));
            } finally {
                etcd.destroyForcibly().onExit().join();
            }
        }
    }

    /** Writes from many sides, and calls for the end in the midst of it. @return what was acknowledged */
    private static Set<String> writeUntil(Trio members, int to, int count, Runnable end) throws Exception {
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        var number = new AtomicInteger();
        try (Etcd etcd = members.etcd(to)) {
            List<Thread> writers = Stream.generate(() -> Thread.ofVirtual().unstarted(() -> {
                        for (int i = number.getAndIncrement(); i < 2 * count; i = number.getAndIncrement()) {
                            try {
                                etcd.put("key-" + i, "x".repeat(500), Duration.ofSeconds(10));
                                acknowledged.add("key-" + i);
                            } catch (ExecutionException e) {
                                return;
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                                return;
                            }
                        }
                    }))
                    .limit(WRITERS)
                    .toList();
            writers.forEach(Thread::start);
            await().atMost(Duration.ofMinutes(1)).until(() -> acknowledged.size() >= count);
            end.run();
            for (Thread writer : writers) {
                writer.join();
            }
        }
        return acknowledged;
    }

    /** The one that goes furthest, as the operator takes it. */
    private Result salvage(String... claims) {
        String furthest = Stream.of(claims)
                .map(claim -> run(new SurveyCommand(), claim))
                .filter(result -> result.exitCode() == 0)
                .map(Result::report)
                .max(AgentReport.BY_LOG)
                .orElseThrow()
                .source();
        Result salvaged = run(new SalvageCommand(), furthest, "--to=" + target, "--uid=u");
        assertThat(salvaged.exitCode()).as(salvaged.message()).isZero();
        return salvaged;
    }

    private Result run(AgentCommand command, String claim, String... more) {
        List<String> flags = new ArrayList<>(List.of("--claim=" + claim, "--from=" + folder.resolve(claim)));
        flags.addAll(List.of(more));
        return agent.run(command, flags.toArray(String[]::new));
    }

    private static void spoil(Path volume) throws IOException {
        try (Stream<Path> files = Files.list(volume.resolve("data/member/wal"))) {
            Path segment = files.filter(file -> file.toString().endsWith(".wal"))
                    .findFirst()
                    .orElseThrow();
            MemberDisk.flip(segment, 2000);
        }
    }

    private static void enableAuth(Accounts accounts) throws Exception {
        Duration deadline = Duration.ofSeconds(10);
        accounts.addUser("root", Optional.of("secret"), deadline);
        accounts.addRole("root", deadline);
        accounts.grantRole("root", "root", deadline);
        accounts.enable(deadline);
    }
}
