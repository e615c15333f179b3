package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.simulation.etcd.StartFlags;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each of these was seen on every tested line of etcd; the planner is built on them. */
abstract class EtcdContract extends EtcdTrial {
    @Test
    void idsFollowFromUrlsAndToken() throws EtcdException {
        formCluster();
        StartFlags flags = founder("a", TOKEN);
        MemberStatus status = stage.client("a").status(DEADLINE);
        assertThat(status.clusterId()).isEqualTo(flags.clusterId());
        assertThat(status.memberId()).isEqualTo(flags.memberId(flags.peerUrl()));
        assertThat(founder("a", "second").clusterId()).isNotEqualTo(flags.clusterId());
    }

    @Test
    void aFounderIsListedByNameBeforeItHasEverStarted() throws EtcdException {
        stage.start(founder("a", TOKEN));
        stage.start(founder("b", TOKEN));
        awaitWell("a");
        List<ListedMember> members = stage.client("a").members(DEADLINE);
        assertThat(members).extracting(ListedMember::name).containsExactlyInAnyOrderElementsOf(NAMES);
        assertThat(members)
                .filteredOn(member -> member.name().equals("c"))
                .singleElement()
                .satisfies(member -> assertThat(member.clientUrls()).isEmpty());
    }

    @Test
    void aSurvivorWithoutQuorumTellsWhatItKnowsAndReadsNothing() throws EtcdException {
        formCluster();
        stage.kill("b");
        stage.kill("c");
        stage.eventually("reads fail", () -> !readsThrough("a"));
        assertThat(stage.client("a").members(DEADLINE)).hasSize(3);
        stage.eventually("a knows of no leader", () -> !knowsLeader("a"));
        assertThat(stage.write("a", 1)).isFalse();
    }

    @Test
    void aMemberStartedWithoutQuorumAnswersNothing() {
        formCluster();
        NAMES.forEach(stage::kill);
        stage.start(founder("a", TOKEN));
        stage.aWhile();
        assertThat(stage.isRunning("a")).isTrue();
        assertThatThrownBy(() -> stage.client("a").status(Duration.ofSeconds(1)))
                .isInstanceOf(EtcdException.class);
        assertThatThrownBy(() -> stage.client("a").members(Duration.ofSeconds(1)))
                .isInstanceOf(EtcdException.class);
    }

    @Test
    void withOnlyItselfToAskAnEmptyDiskIsRefused() {
        formCluster();
        stage.kill("c");
        stage.emptyDisk("c");
        stage.start(onDataOnly("c"));
        stage.eventually("c has given up", () -> !stage.isRunning("c"));
    }

    @Test
    void dataWinsOverFlags() throws EtcdException {
        formCluster();
        assertThat(stage.write("a", 1)).isTrue();
        MemberStatus before = stage.client("a").status(DEADLINE);
        NAMES.forEach(stage::kill);
        stage.start(onDataOnly("a"));
        stage.start(founder("b", "second"));
        awaitWell("a");
        MemberStatus after = stage.client("a").status(DEADLINE);
        assertThat(after.clusterId()).isEqualTo(before.clusterId());
        assertThat(after.memberId()).isEqualTo(before.memberId());
        assertThat(stage.read("a")).contains(Set.of(1));
    }

    @Test
    void anEmptiedFounderIsTurnedAwayByThoseWhoKnowIt() {
        formCluster();
        stage.kill("c");
        stage.emptyDisk("c");
        stage.start(founder("c", TOKEN));
        stage.eventually("c has given up", () -> !stage.isRunning("c"));
    }

    @Test
    void twoEmptiedDisksMakeAQuorumThatHasForgotten() throws EtcdException {
        formCluster();
        assertThat(stage.write("a", 1)).isTrue();
        MemberStatus before = stage.client("a").status(DEADLINE);
        NAMES.forEach(stage::kill);
        stage.emptyDisk("a");
        stage.emptyDisk("b");
        stage.start(founder("a", TOKEN));
        stage.start(founder("b", TOKEN));
        awaitWell("a");
        assertThat(stage.client("a").status(DEADLINE).clusterId()).isEqualTo(before.clusterId());
        assertThat(stage.client("a").status(DEADLINE).memberId()).isEqualTo(before.memberId());
        assertThat(stage.read("a")).contains(Set.of());
    }

    @Test
    void anotherTokenKeepsTheForgetfulApart() {
        formCluster();
        assertThat(stage.write("a", 1)).isTrue();
        NAMES.forEach(stage::kill);
        stage.emptyDisk("a");
        stage.emptyDisk("b");
        stage.start(onDataOnly("c"));
        stage.start(founder("a", "second"));
        stage.start(founder("b", "second"));
        stage.aWhile();
        assertThat(stage.read("c")).isEmpty();
    }
}
