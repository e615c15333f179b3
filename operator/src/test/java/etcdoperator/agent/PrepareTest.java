package etcdoperator.agent;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.agent.AgentTrial.Result;
import etcdoperator.agentreport.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A restore in two pods: one fetches, and another one, or several one after the other, restores. */
class PrepareTest {
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

    /** The pod that restores may be another one than that which fetched, and may be the second one of its Job. */
    @Test
    void whatAnotherPodHasFetchedIsRestored() throws IOException {
        store();
        assertThat(prepare("u1").exitCode()).isEqualTo(ExitCodes.FATAL);
        fetch("u1");
        assertThat(prepare("u2").message()).contains("is not in the volume any more");
        assertThat(prepare("u1").exitCode()).isZero();
        Files.createDirectories(volume.resolve("restore/data/member/half-done"));
        Files.createDirectories(volume.resolve("data/member"));
        assertThat(prepare("u1").exitCode()).isZero();
        assertThat(volume.resolve("restore/data")).doesNotExist();
        assertThat(volume.resolve("data")).doesNotExist();
        assertThat(volume.resolve("restore/snapshot.db")).exists();
        Files.createDirectories(volume.resolve("restore/data/member"));
        assertThat(finish("u1").exitCode()).isZero();
        assertThat(volume.resolve("data/member")).isDirectory();
    }

    @Test
    void whatIsInPlaceIsLeftAlone() throws IOException {
        store();
        fetch("u1");
        Files.createDirectories(volume.resolve("restore/data/member"));
        finish("u1");
        Files.writeString(volume.resolve("data/member/written-since"), "by a member");
        Files.createDirectories(volume.resolve("restore"));
        Result again = prepare("u1");
        assertThat(again.exitCode()).isEqualTo(ExitCodes.IN_PLACE);
        assertThat(again.message()).isEqualTo("the data is in place already");
        assertThat(volume.resolve("data/member/written-since")).exists();
        assertThat(volume.resolve("restore")).doesNotExist();
    }

    private void store() throws IOException {
        Files.write(store.resolve("x.db"), BoltFile.snapshotOf(5));
    }

    private void fetch(String uid) {
        assertThat(agent.run(new FetchCommand(), "--folder=" + store, "--path=x.db", "--to=" + volume, "--uid=" + uid)
                        .exitCode())
                .isZero();
    }

    private Result prepare(String uid) {
        return agent.run(new PrepareCommand(), "--to=" + volume, "--uid=" + uid);
    }

    private Result finish(String uid) {
        return agent.run(new FinishCommand(), "--to=" + volume, "--uid=" + uid);
    }
}
