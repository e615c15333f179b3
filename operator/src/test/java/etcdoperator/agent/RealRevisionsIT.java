package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.contract.etcd.OneMember;
import etcdoperator.etcd.EtcdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The revision that is read from the pages is the one that etcd has, on each line and whatever the pages look like. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealRevisionsIT {
    @Parameter
    String version;

    @TempDir
    Path folder;

    private OneMember member;
    private Etcd etcd;
    private Path store;

    @BeforeEach
    void start() throws IOException {
        member = OneMember.plain(version, "--unsafe-no-fsync");
        etcd = new Etcd(version, member.endpoint("")).awaitWell();
        store = Files.createDirectory(folder.resolve("store"));
    }

    @AfterEach
    void stop() {
        etcd.close();
        member.close();
    }

    @Test
    void aQuietMemberSaysTheSame() throws Exception {
        assertThat(etcd.revision()).isEqualTo(1);
        checkQuiet();
        etcd.put("first", "value");
        checkQuiet();
        etcd.put(3, 1_400_000);
        checkQuiet();
        etcd.put(20_000, 100);
        checkQuiet();
        etcd.put(50, 5_000);
        checkQuiet();
        etcd.ctl("del", "key-100-1", "--prefix");
        checkQuiet();
        // Or the last key would be a deletion, which 3.4 compacts away: that is another test.
        etcd.put("last", "value");
        etcd.ctl("compact", "--physical", Long.toString(etcd.revision()));
        checkQuiet();
        etcd.ctl("defrag");
        checkQuiet();
        etcd.put(10, 50);
        checkQuiet();
    }

    /** No key tells of the last revision any more, and etcd's tools do not know it. */
    @Test
    void whereEverythingIsDeletedAndCompactedItIsStillKnown() throws EtcdException {
        etcd.put(100, 100);
        etcd.ctl("del", "", "--from-key");
        etcd.ctl("compact", "--physical", Long.toString(etcd.revision()));
        assertThat(backup().report().revision()).isEqualTo(etcd.revision());
    }

    @Test
    void whileOthersWriteItIsThatOfTheSnapshot() throws EtcdException {
        etcd.put(5_000, 200);
        var enough = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                etcd.put(200, 300);
            }
        });
        try {
            for (int i = 0; i < 5; i++) {
                long before = etcd.revision();
                long found = backup().report().revision();
                assertThat(found).isBetween(before, etcd.revision());
                assertThat(found).isEqualTo(Etcd.revisionByTools(version, store.resolve("x.db")));
            }
        } finally {
            enough.set(true);
            writer.join();
        }
    }

    private void checkQuiet() throws EtcdException {
        assertThat(backup().report().revision()).isEqualTo(etcd.revision());
        assertThat(Etcd.revisionByTools(version, store.resolve("x.db")))
                .isEqualTo(etcd.revision() == 1 ? 0 : etcd.revision());
    }

    private Result backup() {
        Result stored = new AgentTrial(folder)
                .run(
                        new BackupCommand(),
                        "--endpoints=" + member.endpoint("").url(),
                        "--folder=" + store,
                        "--path=x.db",
                        "--time=2026-01-31T12:00:00Z");
        assertThat(stored.exitCode()).as(stored.message()).isZero();
        assertThat(stored.report().etcdVersion()).isEqualTo(version);
        return stored;
    }
}
