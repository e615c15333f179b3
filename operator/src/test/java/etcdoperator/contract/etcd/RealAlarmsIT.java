package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static etcdoperator.contract.etcd.EtcdStage.PLACES;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What still works while an alarm is raised, on each line: what a healer may rely on. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealAlarmsIT extends ProcessTrial {
    /** Defragmentation rewrites the database: the operator waits for as long, too. */
    private static final Duration AS_LONG_AS_THE_OPERATOR = Duration.ofMinutes(10);

    @Test
    void corruptStopsWritesAndNotReadsOrMembership() throws EtcdException {
        Alarm alarm = raise(Alarm.Kind.CORRUPT);
        assertThat(stage.write("a", 2)).isFalse();
        assertThat(kind(() -> any().commitNothing(DEADLINE))).isEqualTo(Kind.REFUSED);
        assertThat(kind(() -> any().compact(1, DEADLINE))).isEqualTo(Kind.REFUSED);
        readsAndMembersChange();
        any().disarm(alarm.member(), alarm.kind(), DEADLINE);
        assertThat(stage.write("a", 3)).isTrue();
    }

    @Test
    void noSpaceStopsWritesAndNothingElse() throws EtcdException {
        Alarm alarm = raise(Alarm.Kind.NOSPACE);
        assertThat(stage.write("a", 2)).isFalse();
        any().commitNothing(DEADLINE);
        any().compact(any().status(DEADLINE).revision() - 1, DEADLINE);
        readsAndMembersChange();
        any().disarm(alarm.member(), alarm.kind(), DEADLINE);
        assertThat(stage.write("a", 3)).isTrue();
    }

    private Alarm raise(Alarm.Kind kind) throws EtcdException {
        formCluster();
        assertThat(stage.write("a", 1)).isTrue();
        var alarm = new Alarm(stage.client("b").status(DEADLINE).memberId(), kind);
        processes.raise("a", alarm);
        for (String name : NAMES) {
            stage.eventually(name + " tells of it", () -> tells(name, alarm));
        }
        assertThat(any().status(DEADLINE).errors()).isEmpty();
        return alarm;
    }

    private boolean tells(String name, Alarm alarm) {
        try {
            return stage.client(name).status(DEADLINE).alarms().equals(List.of(alarm));
        } catch (EtcdException e) {
            return false;
        }
    }

    /** A member goes, a learner comes and gets its vote. */
    private void readsAndMembersChange() throws EtcdException {
        any().linearizableRead(DEADLINE);
        assertThat(stage.read("a")).contains(Set.of(1));
        assertThat(any().agreedMembers(DEADLINE)).hasSize(3);
        long revision = any().status(DEADLINE).revision();
        assertThat(any().hashKv(revision, DEADLINE).hash())
                .isEqualTo(stage.client("c").hashKv(revision, DEADLINE).hash());
        any().defragment(AS_LONG_AS_THE_OPERATOR);
        stage.eventually("d is added", () -> succeeds(() -> any().add(stage.peerUrl("d"), true, DEADLINE)));
        stage.eventually("all know d", () -> NAMES.stream().allMatch(name -> membersOf(name) == 4));
        stage.start(joining("d", PLACES));
        MemberId learner = any().agreedMembers(DEADLINE).stream()
                .filter(member -> member.learner())
                .findFirst()
                .orElseThrow()
                .id();
        stage.eventually("d gets its vote", () -> succeeds(() -> any().promote(learner, DEADLINE)));
        awaitWell("d");
        stage.eventually("c goes", () -> succeeds(() -> any().remove(idOfC(), DEADLINE)));
        // It may have been the leader.
        stage.eventually("three are left and read", () -> membersOf("a") == 3 && readsThrough("d"));
    }

    private int membersOf(String name) {
        try {
            return stage.client(name).agreedMembers(DEADLINE).size();
        } catch (EtcdException e) {
            return -1;
        }
    }

    private MemberId idOfC() throws EtcdException {
        return any().agreedMembers(DEADLINE).stream()
                .filter(member -> member.name().equals("c"))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private EtcdClient any() {
        return stage.client("a");
    }
}
