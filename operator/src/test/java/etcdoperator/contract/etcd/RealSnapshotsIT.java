package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.RaftSnapshots;
import etcdoperator.etcd.RaftSnapshots.Limits;
import etcdoperator.etcd.RaftSnapshots.Member;
import etcdoperator.etcd.RaftSnapshots.Result;
import etcdoperator.etcd.grpc.HttpMemberMetrics;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Raft snapshots are brought about by entries without effect, and counted, on each line. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealSnapshotsIT extends EtcdTrial {
    /** So many entries a leader keeps for those who lag, where that cannot be set; beyond them it sends a snapshot. */
    private static final int KEPT = 5000;

    @Parameter
    String version;

    private ProcessStage processes;

    @Override
    EtcdStage open() {
        processes = new ProcessStage(EtcdBinary.of(version));
        return processes;
    }

    @Test
    void eachSnapshotFileIsCounted() throws EtcdException {
        processes.snapshotEvery(10);
        formCluster();
        for (int i = 0; i < 40; i++) {
            stage.client("b").commitNothing(DEADLINE);
        }
        for (String name : NAMES) {
            stage.eventually(
                    name + " has counted", () -> count(name) >= 3 && count(name) == processes.snapshotFiles(name));
        }
    }

    @Test
    void whoLaggedTooFarIsSentOneThatCounts() throws EtcdException {
        processes.snapshotEvery(1000);
        int kept = keepFewEntries();
        formCluster();
        stage.kill("c");
        stage.eventually("reads go on", () -> readsThrough("a"));
        var written = snapshots().bringAbout(List.of(member("a")), new Limits(Duration.ofSeconds(50), KEPT * 2));
        assertThat(written).isInstanceOf(Result.Done.class);
        for (int i = 0; i < kept + 2000; i++) {
            // A disk that others keep busy may take seconds.
            stage.client("a").commitNothing(Duration.ofSeconds(10));
        }
        stage.start(onDataOnly("c"));
        awaitWell("c");
        stage.eventually("c has counted the one it was sent", () -> count("c") > 0);
    }

    @Test
    void everyMemberIsBroughtToWriteOneInSeconds() {
        processes.snapshotEvery(10_000);
        formCluster();
        List<Member> members = NAMES.stream().map(this::member).toList();
        Result result = snapshots().bringAbout(members, new Limits(Duration.ofSeconds(60), 30_000));
        assertThat(result).isInstanceOf(Result.Done.class);
        assertThat(NAMES).allMatch(name -> count(name) > 0);
        assertThat(result.effort().entries()).isBetween(9_000L, 25_000L);
        assertThat(snapshots().bringAbout(members, new Limits(Duration.ofSeconds(60), 0)))
                .isInstanceOf(Result.Done.class);
    }

    /** Who has more than 5000 entries to apply spends its time on asking whether it may say hello. */
    private int keepFewEntries() {
        boolean settable = EtcdVersion.parse(version).minor() >= 6;
        if (settable) {
            processes.also("--snapshot-catchup-entries=500");
        }
        return settable ? 500 : KEPT;
    }

    private static RaftSnapshots snapshots() {
        return new RaftSnapshots(new HttpMemberMetrics());
    }

    private Member member(String name) {
        return new Member(new PeerName(name, 0), stage.client(name), processes.metrics(name));
    }

    private long count(String name) {
        return processes.snapshots(name);
    }
}
