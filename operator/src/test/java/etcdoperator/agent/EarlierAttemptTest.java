package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.AgentReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent for a backup that an earlier agent has worked on, whose pod was lost. */
class EarlierAttemptTest {
    private static final String NOON = "2026-01-31T12:00:00Z";
    private static final String PATH = "{namespace}/{cluster}/{time}.db";
    private static final String OBJECT = "ns/c/20260131T120000Z.db";

    @TempDir
    Path folder;

    private AgentTrial agent;
    private Path store;
    private Path database;

    @BeforeEach
    void lay() throws IOException {
        agent = new AgentTrial(folder);
        store = Files.createDirectory(folder.resolve("store"));
        database = folder.resolve("etcd/member/snap/db");
        Files.createDirectories(database.getParent());
        clusterIsAt(77);
    }

    /** The operator may have the hash of the first object on record. */
    @ParameterizedTest
    @ValueSource(strings = {PATH, "{namespace}/{version}.db"})
    void anObjectOfTheSameBackupStays(String path) throws IOException {
        AgentReport first = backup(path, "b1", NOON).report();
        byte[] object = Files.readAllBytes(store.resolve(first.path()));
        clusterIsAt(78);
        Result again = backup(path, "b1", NOON, "--compression=gzip");
        assertThat(again.exitCode()).isZero();
        assertThat(store.resolve(first.path())).hasBinaryContent(object);
        assertThat(again.message()).contains("holds revision 77").contains("by an earlier attempt");
        assertThat(again.report())
                .usingRecursiveComparison()
                .ignoringFields("message", "transferredBytes")
                .isEqualTo(first);
    }

    @Test
    void whatIsStoredNeedsNoMember() throws IOException {
        AgentReport first = backup(PATH, "b1", NOON).report();
        Files.delete(database);
        assertThat(backup(PATH, "b1", NOON).report().sha256()).isEqualTo(first.sha256());
    }

    /** The path has neither time nor uid in it. */
    @ParameterizedTest
    @CsvSource({"b2, 2026-01-31T12:00:00Z", "b1, 2026-01-31T13:00:00Z"})
    void anotherBackupReplacesTheObject(String uid, String time) throws IOException {
        backup("{cluster}.db", "b1", NOON);
        clusterIsAt(78);
        assertThat(backup("{cluster}.db", uid, time).report().revision()).isEqualTo(78);
        assertThat(store.resolve("c.db")).hasBinaryContent(BoltFile.snapshotOf(78));
    }

    @Test
    void aRecordWithoutItsObjectIsNoBackup() throws IOException {
        backup(PATH, "b1", NOON);
        Files.delete(store.resolve(OBJECT));
        clusterIsAt(78);
        assertThat(backup(PATH, "b1", NOON).report().revision()).isEqualTo(78);
        Files.write(store.resolve(OBJECT), new byte[5]);
        assertThat(backup(PATH, "b1", NOON).report().revision()).isEqualTo(78);
        assertThat(store.resolve(OBJECT)).hasBinaryContent(BoltFile.snapshotOf(78));
    }

    /** The first agent was killed before it could write the record, so nobody knows of its object. */
    @Test
    void anObjectWithoutItsRecordIsReplaced() throws IOException {
        backup(PATH, "b1", NOON);
        Files.delete(store.resolve(OBJECT + ".json"));
        clusterIsAt(78);
        assertThat(backup(PATH, "b1", NOON).report().revision()).isEqualTo(78);
        assertThat(store.resolve(OBJECT)).hasBinaryContent(BoltFile.snapshotOf(78));
    }

    private void clusterIsAt(int revision) throws IOException {
        byte[] snapshot = BoltFile.snapshotOf(revision);
        Files.write(database, Arrays.copyOf(snapshot, snapshot.length - SnapshotCheck.HASH));
    }

    private Result backup(String path, String uid, String time, String... more) {
        List<String> flags = new ArrayList<>(List.of(
                "--data-dir=" + folder.resolve("etcd"),
                "--etcd-version=3.6.16",
                "--folder=" + store,
                "--path=" + path,
                "--namespace=ns",
                "--cluster=c",
                "--uid=" + uid,
                "--time=" + time));
        flags.addAll(List.of(more));
        return agent.run(new BackupCommand(), flags.toArray(String[]::new));
    }
}
