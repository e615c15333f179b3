package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agent.crypto.EncryptionKey;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.AgentReport.State;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.agentreport.ReportText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All that an agent does, between two folders. */
class CommandsTest {
    private static final String OBJECT = "ns/c/20260131T120000Z.db";

    @TempDir
    Path folder;

    private AgentTrial agent;
    private Path store;
    private Path volume;
    private Path key;

    @BeforeEach
    void lay() throws IOException {
        agent = new AgentTrial(folder);
        store = Files.createDirectory(folder.resolve("store"));
        volume = Files.createDirectory(folder.resolve("volume"));
        key = Files.writeString(
                folder.resolve("key"), Base64.getEncoder().encodeToString(new byte[EncryptionKey.SIZE]) + "\n");
        Path database = folder.resolve("etcd/member/snap/db");
        Files.createDirectories(database.getParent());
        byte[] snapshot = BoltFile.snapshotOf(77);
        Files.write(database, Arrays.copyOf(snapshot, snapshot.length - SnapshotCheck.HASH));
    }

    @ParameterizedTest
    @CsvSource({"none,false", "gzip,false", "none,true", "gzip,true"})
    void whatIsBackedUpIsFetched(String compression, boolean encrypted) throws IOException {
        String[] more = encrypted ? new String[] {"--encryption-key-file=" + key} : new String[0];
        Result stored = backup(and(more, "--compression=" + compression));
        assertThat(stored.exitCode()).isZero();
        AgentReport report = stored.report();
        assertThat(report.state()).isEqualTo(State.COMPLETED);
        assertThat(report.revision()).isEqualTo(77);
        assertThat(report.path()).isEqualTo(OBJECT);
        assertThat(report.etcdVersion()).isEqualTo("3.6.16");
        assertThat(report.compression()).isEqualTo(compression);
        assertThat(report.encrypted()).isEqualTo(encrypted);
        assertThat(report.contents()).as("nobody runs who could be asked").isNull();
        assertThat(report.sizeBytes()).isEqualTo(BoltFile.snapshotOf(77).length);
        byte[] object = Files.readAllBytes(store.resolve(OBJECT));
        assertThat(report.storedBytes()).isEqualTo(object.length);
        assertThat(report.transferredBytes()).isEqualTo(object.length);
        assertThat(report.sha256())
                .isEqualTo(HexFormat.of().formatHex(SnapshotCheck.sha256().digest(object)));
        assertThat(ReportText.read(Files.readString(store.resolve(OBJECT + ".json")))
                        .orElseThrow()
                        .sha256())
                .isEqualTo(report.sha256());

        Result inspected = agent.run(new InspectCommand(), and(more, "--folder=" + store, "--path=" + OBJECT));
        assertThat(inspected.exitCode()).isZero();
        assertThat(inspected.report().revision()).isEqualTo(77);
        assertThat(inspected.report().etcdVersion()).isEqualTo("3.6.16");
        assertThat(inspected.report().encrypted()).isEqualTo(encrypted);

        assertThat(fetch("u1", more).exitCode()).isZero();
        assertThat(volume.resolve("restore/snapshot.db")).hasBinaryContent(BoltFile.snapshotOf(77));
    }

    @Test
    void oneBitInTheStoreIsNoticed() throws IOException {
        backup();
        Path object = store.resolve(OBJECT);
        byte[] bytes = Files.readAllBytes(object);
        bytes[9000] ^= 1;
        Files.write(object, bytes);
        Result fetched = fetch("u1");
        assertThat(fetched.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(fetched.message()).contains(OBJECT).contains("corrupt");
        Files.delete(store.resolve(OBJECT + ".json"));
        assertThat(fetch("u1").message()).contains("does not fit the hash");
    }

    /** The agent that overwrote it died before it had written the record. */
    @Test
    void aRecordOfAnotherObjectIsNoCorruption() throws IOException {
        String recorded = backup().report().sha256();
        Files.write(store.resolve(OBJECT), BoltFile.snapshotOf(78));
        for (Result fetched : List.of(fetch("u1"), fetch("u1", "--sha256=" + recorded))) {
            assertThat(fetched.exitCode()).isEqualTo(ExitCodes.FATAL);
            assertThat(fetched.message())
                    .contains("the record beside it, " + OBJECT + ".json, is of another object")
                    .contains("delete the record to restore by etcd's own hash alone")
                    .doesNotContain("corrupt");
        }
        Files.write(store.resolve(OBJECT), new byte[5], StandardOpenOption.APPEND);
        Result inspected = agent.run(new InspectCommand(), "--folder=" + store, "--path=" + OBJECT);
        assertThat(inspected.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(inspected.message()).contains("delete the record").doesNotContain("corrupt");
        Files.write(store.resolve(OBJECT), BoltFile.snapshotOf(78));
        Files.delete(store.resolve(OBJECT + ".json"));
        assertThat(fetch("u1").exitCode()).isZero();
    }

    @Test
    void anotherObjectThanTheOneMeantIsNotRestored() {
        backup();
        Result fetched = fetch("u1", "--sha256=" + "0".repeat(64));
        assertThat(fetched.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(fetched.message()).contains("another object than it was");
    }

    @Test
    void whatAnotherBackupHasOverwrittenIsNotDeleted() {
        String sum = backup().report().sha256();
        Result other =
                agent.run(new DeleteCommand(), "--folder=" + store, "--path=" + OBJECT, "--sha256=" + "0".repeat(64));
        assertThat(other.exitCode()).isZero();
        assertThat(other.message()).contains("overwritten by another backup");
        assertThat(store.resolve(OBJECT)).exists();
        agent.run(new DeleteCommand(), "--folder=" + store, "--path=" + OBJECT, "--sha256=" + sum);
        assertThat(store.resolve(OBJECT)).doesNotExist();
    }

    @Test
    void aSnapshotOfEtcdctlNeedsNothingBesideIt() throws IOException {
        Files.write(store.resolve("mine.db"), BoltFile.snapshotOf(5));
        Result inspected = agent.run(new InspectCommand(), "--folder=" + store, "--path=mine.db");
        assertThat(inspected.exitCode()).isZero();
        Result fetched =
                agent.run(new FetchCommand(), "--folder=" + store, "--path=mine.db", "--to=" + volume, "--uid=u");
        assertThat(fetched.exitCode()).isZero();
        assertThat(fetched.report().revision()).isEqualTo(5);
    }

    @Test
    void anotherKeyCuresNothing() throws IOException {
        backup("--encryption-key-file=" + key);
        byte[] other = new byte[EncryptionKey.SIZE];
        other[3] = 1;
        Files.writeString(key, Base64.getEncoder().encodeToString(other));
        Result fetched = fetch("u1", "--encryption-key-file=" + key);
        assertThat(fetched.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(fetched.message()).contains("another key");
        assertThat(fetch("u1").message()).contains("no key is given");
    }

    @Test
    void aRestoreIsFinishedOnceAndForAll() throws IOException {
        backup();
        assertThat(finish("u1").exitCode()).isEqualTo(ExitCodes.FATAL);
        fetch("u1");
        assertThat(finish("u1").message()).contains("nothing was restored");
        fetch("u1");
        Files.createDirectories(volume.resolve("restore/data/member"));
        assertThat(finish("u1").exitCode()).isZero();
        assertThat(volume.resolve("data/member")).isDirectory();
        assertThat(volume.resolve("restore")).doesNotExist();
        assertThat(finish("u1").exitCode()).isZero();
        assertThat(finish("u2").exitCode()).isEqualTo(ExitCodes.FATAL);
    }

    @Test
    void onlyWhatTheSameRestoreLeftIsRemoved() throws IOException {
        backup();
        fetch("u1");
        Files.createDirectories(volume.resolve("restore/data/member"));
        finish("u1");
        Result other = fetch("u2");
        assertThat(other.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(other.message()).contains("holds data already");
        assertThat(volume.resolve("data/member")).isDirectory();
    }

    @Test
    void onlyWhatIsNotDoneYetIsDoneAgain() throws IOException {
        backup();
        fetch("u1");
        Files.createDirectories(volume.resolve("data/member"));
        assertThat(fetch("u1").exitCode()).isZero();
        assertThat(volume.resolve("data")).doesNotExist();

        Files.createDirectories(volume.resolve("restore/data/member"));
        finish("u1");
        Files.writeString(volume.resolve("data/member/written-since"), "by a member");
        assertThat(fetch("u1").exitCode()).isZero();
        Files.createDirectories(volume.resolve("restore/data/member"));
        assertThat(finish("u1").exitCode()).isZero();
        assertThat(volume.resolve("data/member/written-since")).hasContent("by a member");
        assertThat(volume.resolve("restore")).doesNotExist();
    }

    @Test
    void whatIsDeletedIsGoneAndTwiceIsAsGoodAsOnce() {
        backup();
        for (int i = 0; i < 2; i++) {
            assertThat(agent.run(new DeleteCommand(), "--folder=" + store, "--path=" + OBJECT)
                            .exitCode())
                    .isZero();
            assertThat(store.resolve(OBJECT)).doesNotExist();
            assertThat(store.resolve(OBJECT + ".json")).doesNotExist();
        }
    }

    @Test
    void whatIsMissingIsSaid() {
        assertThat(fetch("u1").exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(fetch("u1").message()).contains("does not exist");
        assertThat(agent.run(new InspectCommand(), "--folder=" + store + "/none", "--path=x")
                        .exitCode())
                .isEqualTo(ExitCodes.FATAL);
    }

    @Test
    void aBrokenDatabaseIsNotStored() throws IOException {
        Files.write(folder.resolve("etcd/member/snap/db"), new byte[8192]);
        Result stored = backup();
        assertThat(stored.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(stored.message()).contains("member/snap/db is no database of etcd");
        assertThat(store.resolve(OBJECT)).doesNotExist();
        assertThat(store.resolve(OBJECT + ".json")).doesNotExist();
    }

    @Test
    void aPathMayHaveTheRevisionInIt() {
        Result stored = agent.run(new BackupCommand(), flags("--path={cluster}-{revision}-{version}.db"));
        assertThat(stored.report().path()).isEqualTo("c-77-3.6.16.db");
    }

    /** The operator does not even start an agent for it; an agent that an older operator started sends nothing. */
    @ParameterizedTest
    @CsvSource({
        "s3://backups, https://s3.example, pod, https://*, is not one of Amazon S3",
        "s3://backups, http://s3.example, aws, https://*, is not encrypted",
        "s3://backups, https://s3.example, aws, none, is not one that this installation of the operator allows",
        "azblob://bucket, https://evil.example/account, azure, https://*.windows.net, is not one that"
    })
    void credentialsAreNotSentToJustAnyEndpoint(
            String bucket, String endpoint, String credentials, String allowed, String why) {
        Result refused = agent.run(
                new DeleteCommand(),
                "--bucket-url=" + bucket,
                "--endpoint=" + endpoint,
                "--allowed-endpoints=" + allowed,
                "--credentials=" + credentials,
                "--credentials-dir=" + folder,
                "--path=" + OBJECT);
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(refused.message()).contains("Endpoint " + endpoint).contains(why);
    }

    @Test
    void wrongFlagsAreLastWordsToo() {
        Result wrong = agent.run(new BackupCommand(), "--no-such-flag");
        assertThat(wrong.exitCode()).isEqualTo(ExitCodes.FATAL);
        assertThat(wrong.report().state()).isEqualTo(State.FAILED);
        assertThat(backup("--compression=zstd").exitCode()).isEqualTo(ExitCodes.FATAL);
    }

    @ParameterizedTest
    @CsvSource({"aws, no AWS_ACCESS_KEY_ID", "azure, no AZURE_STORAGE_ACCOUNT"})
    void credentialsThatAreMissingMayComeLater(String kind, String missing) throws IOException {
        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        Result keyless = agent.run(
                new DeleteCommand(),
                "--bucket-url=s3://backups",
                "--credentials=" + kind,
                "--credentials-dir=" + credentials,
                "--path=" + OBJECT);
        assertThat(keyless.exitCode()).isEqualTo(ExitCodes.FOR_NOW);
        assertThat(keyless.message()).contains("the credentials have " + missing);
    }

    private Result backup(String... more) {
        return agent.run(new BackupCommand(), and(flags("--path={namespace}/{cluster}/{time}.db"), more));
    }

    private String[] flags(String path) {
        return new String[] {
            "--data-dir=" + folder.resolve("etcd"),
            "--etcd-version=3.6.16",
            "--folder=" + store,
            path,
            "--namespace=ns",
            "--cluster=c",
            "--time=2026-01-31T12:00:00Z"
        };
    }

    private Result fetch(String uid, String... more) {
        return agent.run(
                new FetchCommand(),
                and(more, "--folder=" + store, "--path=" + OBJECT, "--to=" + volume, "--uid=" + uid));
    }

    private Result finish(String uid) {
        return agent.run(new FinishCommand(), "--to=" + volume, "--uid=" + uid);
    }

    private static String[] and(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
