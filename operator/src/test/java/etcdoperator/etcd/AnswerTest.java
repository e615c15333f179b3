package etcdoperator.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final MemberStatus WELL = ScriptedEtcd.status(1000, 0xa0, 1);

    @Test
    void aMemberIsWellThatKnowsALeaderAndHasAQuorumBehindIt() {
        assertThat(spoke(WELL).isWell()).isTrue();
        assertThat(spoke(ScriptedEtcd.status(1000, 0, 1)).isWell()).isFalse();
        assertThat(new Spoke(NOW, WELL, List.of(), Optional.of("no answer in time")).isWell())
                .isFalse();
        assertThat(new Silent(NOW, "no connection").isWell()).isFalse();
    }

    @Test
    void timeAndRaftIndexSayNothing() {
        assertThat(spoke(WELL)
                        .saysTheSameAs(new Spoke(
                                NOW.plusSeconds(9), ScriptedEtcd.status(1000, 0xa0, 9), List.of(), Optional.empty())))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1000,true", "1100,true", "900,true", "1101,false", "899,false", "0,false"})
    void aSizeSaysSomethingOnceItHasMovedByATenth(long size, boolean same) {
        assertThat(spoke(ScriptedEtcd.status(size, 0xa0, 1)).saysTheSameAs(spoke(WELL)))
                .isEqualTo(same);
    }

    @Test
    void whatUpgradesAndUpkeepWaitForSaysSomething() {
        var alarm = new Alarm(new MemberId(1), Alarm.Kind.CORRUPT);
        List<Spoke> others = List.of(
                spoke(upkeep(Optional.of("3.5.0"), Optional.empty(), 1000, 2L << 30, List.of())),
                spoke(upkeep(Optional.empty(), Optional.empty(), 1000, 2L << 30, List.of())),
                spoke(upkeep(Optional.of("3.6.0"), Optional.of("3.5.0"), 1000, 2L << 30, List.of())),
                spoke(upkeep(Optional.of("3.6.0"), Optional.empty(), 899, 2L << 30, List.of())),
                spoke(upkeep(Optional.of("3.6.0"), Optional.empty(), 1000, 1L << 30, List.of())),
                spoke(upkeep(Optional.of("3.6.0"), Optional.empty(), 1000, 2L << 30, List.of(alarm))));
        assertThat(others).noneMatch(other -> other.saysTheSameAs(spoke(WELL)));
        assertThat(spoke(upkeep(Optional.of("3.6.0"), Optional.empty(), 901, 2L << 30, List.of()))
                        .saysTheSameAs(spoke(WELL)))
                .isTrue();
    }

    @Test
    void everythingElseSaysSomething() {
        var member = new ListedMember(new MemberId(1), "c-0", List.of(), List.of(), false);
        List<Spoke> others = List.of(
                new Spoke(NOW, WELL, List.of(member), Optional.empty()),
                new Spoke(NOW, WELL, List.of(), Optional.of("no answer in time")),
                spoke(status(2, 0xa0, "3.6.16", 0xa0, false, List.of())),
                spoke(status(0xc1, 2, "3.6.16", 0xa0, false, List.of())),
                spoke(status(0xc1, 0xa0, "3.6.15", 0xa0, false, List.of())),
                spoke(status(0xc1, 0xa0, "3.6.16", 2, false, List.of())),
                spoke(status(0xc1, 0xa0, "3.6.16", 0xa0, true, List.of())),
                spoke(status(0xc1, 0xa0, "3.6.16", 0xa0, false, List.of("NOSPACE"))));
        assertThat(others).noneMatch(other -> other.saysTheSameAs(spoke(WELL)));
    }

    @Test
    void silenceIsTheSameForTheSameReason() {
        var silent = new Silent(NOW, "no connection");
        assertThat(silent.saysTheSameAs(new Silent(NOW.plusSeconds(1), "no connection")))
                .isTrue();
        assertThat(silent.saysTheSameAs(new Silent(NOW, "no answer in time"))).isFalse();
        assertThat(silent.saysTheSameAs(spoke(WELL))).isFalse();
        assertThat(spoke(WELL).saysTheSameAs(silent)).isFalse();
    }

    @Test
    void passwordsStayOutOfTheLog() {
        assertThat(new Credentials("root", "secret").toString())
                .contains("root")
                .doesNotContain("secret");
    }

    private static Spoke spoke(MemberStatus status) {
        return new Spoke(NOW, status, List.of(), Optional.empty());
    }

    private static MemberStatus status(
            long cluster, long member, String version, long leader, boolean learner, List<String> errors) {
        return TypicalStatus.of(
                new ClusterId(cluster),
                new MemberId(member),
                version,
                1000,
                new MemberId(leader),
                learner,
                2,
                1,
                errors);
    }

    private static MemberStatus upkeep(
            Optional<String> storage, Optional<String> downgrade, long inUse, long quota, List<Alarm> alarms) {
        return new MemberStatus(
                WELL.clusterId(),
                WELL.memberId(),
                WELL.version(),
                storage,
                downgrade,
                WELL.dbSizeBytes(),
                inUse,
                quota,
                WELL.leader(),
                false,
                2,
                7,
                7,
                alarms,
                List.of());
    }
}
