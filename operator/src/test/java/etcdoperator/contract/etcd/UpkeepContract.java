package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What keeps a member of every tested line of etcd in shape, and what of it needs a quorum. */
abstract class UpkeepContract extends EtcdTrial {
    private static final Duration SHORT = Duration.ofSeconds(1);

    @Test
    void aStatusTellsOfRevisionsSizesAndNoTrouble() throws EtcdException {
        formCluster();
        long before = revision("a");
        assertThat(stage.write("a", 1)).isTrue();
        catchUp("a", before + 1);
        MemberStatus after = stage.client("a").status(DEADLINE);
        assertThat(after.dbSizeInUse()).isPositive().isLessThanOrEqualTo(after.dbSizeBytes());
        assertThat(after.downgrade()).isEmpty();
        assertThat(after.alarms()).isEmpty();
        assertThat(after.errors()).isEmpty();
    }

    @Test
    void anEntryWithoutEffectIsOneEntryAndNoRevision() throws EtcdException {
        formCluster();
        long revision = revision("a");
        for (String name : NAMES) {
            // Early on etcd writes entries of its own, such as the version that all have agreed on.
            stage.eventually("each entry through " + name + " is one", () -> entriesOfFiftyCommits(name) == 50);
        }
        assertThat(revision("a")).isEqualTo(revision);
    }

    private long entriesOfFiftyCommits(String name) {
        try {
            EtcdClient client = stage.client(name);
            client.linearizableRead(DEADLINE);
            long before = client.status(DEADLINE).raftIndex();
            for (int i = 0; i < 50; i++) {
                client.commitNothing(DEADLINE);
            }
            client.linearizableRead(DEADLINE);
            return client.status(DEADLINE).raftIndex() - before;
        } catch (EtcdException e) {
            return -1;
        }
    }

    @Test
    void membersHaveOneHashAtOneRevision() throws EtcdException {
        formCluster();
        long empty = revision("a");
        assertThat(stage.write("a", 1)).isTrue();
        catchUp("a", empty + 1);
        long first = revision("a");
        Hash before = stage.client("a").hashKv(first, DEADLINE);
        assertThat(before.hashRevision()).isEqualTo(first);
        assertThat(stage.write("b", 2)).isTrue();
        for (String name : NAMES) {
            catchUp(name, first + 1);
            assertThat(stage.client(name).hashKv(first, DEADLINE)).isEqualTo(before);
        }
        Hash newest = stage.client("a").hashKv(0, DEADLINE);
        assertThat(newest.hash()).isNotEqualTo(before.hash());
        assertThat(newest.hashRevision()).isGreaterThan(first);
    }

    @Test
    void whoHasNotGotSoFarHasNoHashYet() {
        formCluster();
        assertThat(kind(() -> stage.client("a").hashKv(1_000_000, DEADLINE))).isEqualTo(Kind.NOT_YET);
    }

    @Test
    void compactionCanBeAskedForTwiceAndNotTooEarly() throws EtcdException {
        formCluster();
        long empty = revision("a");
        assertThat(stage.write("a", 1)).isTrue();
        assertThat(stage.write("a", 2)).isTrue();
        catchUp("a", empty + 2);
        long revision = revision("a");
        stage.client("b").compact(revision, DEADLINE);
        stage.client("c").compact(revision, DEADLINE);
        assertThat(kind(() -> stage.client("a").compact(1_000_000, DEADLINE))).isEqualTo(Kind.NOT_YET);
        // 3.4 tells no hash at the very revision that was compacted.
        assertThat(stage.write("a", 3)).isTrue();
        List<Hash> hashes = new ArrayList<>();
        for (String name : NAMES) {
            catchUp(name, revision + 1);
            hashes.add(stage.client(name).hashKv(revision + 1, DEADLINE));
        }
        assertThat(hashes).containsOnly(hashes.getFirst());
    }

    @Test
    void defragmentationKeepsAMemberWell() throws EtcdException {
        formCluster();
        for (String name : NAMES) {
            stage.client(name).defragment(Duration.ofSeconds(30));
            awaitWell(name);
        }
    }

    @Test
    void anAlarmThatNobodyRaisedCanBeEnded() throws EtcdException {
        formCluster();
        for (Alarm.Kind alarm : Alarm.Kind.values()) {
            stage.client("a").disarm(new MemberId(1), alarm, DEADLINE);
        }
    }

    @Test
    void withoutAQuorumAMemberCanBeHashedAndDefragmentedAndNothingElse() throws EtcdException {
        formCluster();
        stage.kill("b");
        stage.kill("c");
        stage.eventually("reads fail", () -> !readsThrough("a"));
        EtcdClient survivor = stage.client("a");
        assertThat(survivor.hashKv(0, DEADLINE).hashRevision()).isPositive();
        survivor.defragment(Duration.ofSeconds(30));
        assertThat(kind(() -> survivor.compact(1, SHORT))).isEqualTo(Kind.NO_ANSWER);
        assertThat(kind(() -> survivor.commitNothing(SHORT))).isEqualTo(Kind.NO_ANSWER);
        assertThat(kind(() -> survivor.disarm(new MemberId(1), Alarm.Kind.NOSPACE, SHORT)))
                .isEqualTo(Kind.NO_ANSWER);
    }

    /** Waits until the member has a revision. */
    private void catchUp(String name, long revision) {
        stage.eventually(name + " has revision " + revision, () -> revision(name) >= revision);
    }

    private long revision(String name) {
        try {
            return stage.client(name).status(DEADLINE).revision();
        } catch (EtcdException e) {
            return -1;
        }
    }
}
