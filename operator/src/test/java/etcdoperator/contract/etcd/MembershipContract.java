package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static etcdoperator.contract.etcd.EtcdStage.PLACES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.domain.FoundedIds;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** How members of every tested line of etcd come and go; the order of the planner's steps follows from it. */
abstract class MembershipContract extends EtcdTrial {
    private static final String ELSEWHERE = "http://127.0.0.1:1";

    /** So it is known who has to answer before anybody does. */
    @Test
    void foundersHaveTheIdsThatFollowFromAddressesAndToken() throws EtcdException {
        formCluster();
        List<String> urls = NAMES.stream().map(stage::peerUrl).toList();
        for (String name : NAMES) {
            EtcdClient.MemberStatus status = stage.client(name).status(DEADLINE);
            assertThat(status.memberId()).isEqualTo(FoundedIds.member(stage.peerUrl(name), TOKEN));
            assertThat(status.clusterId()).isEqualTo(FoundedIds.cluster(urls, TOKEN));
        }
    }

    @Test
    void whoIsAddedIsListedWithTheIdThatIsTold() throws EtcdException {
        formCluster();
        List<MemberId> told = new ArrayList<>();
        stage.eventually("a learner is added", () -> succeeds(() -> told.add(any().add(stage.peerUrl("d"), true, DEADLINE))));
        assertThat(listed("d").id()).isEqualTo(told.getFirst());
    }

    @Test
    void aLearnerIsAddedStartsAndGetsItsVote() throws EtcdException {
        formCluster();
        addLearner();
        assertThat(listed("d"))
                .satisfies(member -> assertThat(member.name()).isEmpty())
                .satisfies(member -> assertThat(member.learner()).isTrue());
        stage.start(joining("d", PLACES));
        stage.eventually("d follows", () -> isLearner("d"));
        assertThat(listed("d").name()).isEqualTo("d");
        promoteOrTellWhyNot();
        awaitWell("d");
        assertThat(any().agreedMembers(DEADLINE)).hasSize(4).noneMatch(ListedMember::learner);
        assertThat(stage.client("d").status(DEADLINE).learner()).isFalse();
    }

    @Test
    void aLearnerTellsItsStatusAndNoList() {
        formCluster();
        addLearner();
        stage.start(joining("d", PLACES));
        stage.eventually("d follows", () -> isLearner("d"));
        assertThatThrownBy(() -> stage.client("d").members(DEADLINE)).isInstanceOf(EtcdException.class);
        assertThatThrownBy(() -> stage.client("d").linearizableRead(DEADLINE)).isInstanceOf(EtcdException.class);
    }

    @Test
    void aLearnerThatHasNotCaughtUpGetsNoVoteYet() throws EtcdException {
        formCluster();
        addLearner();
        MemberId learner = listed("d").id();
        assertThat(kind(() -> any().promote(learner, DEADLINE))).isEqualTo(Kind.NOT_YET);
    }

    @Test
    void aSecondLearnerHasToWait() {
        formCluster();
        addLearner();
        assertThat(kind(() -> any().add(ELSEWHERE, true, DEADLINE))).isEqualTo(Kind.NOT_YET);
    }

    @Test
    void anAddressIsTakenOnce() {
        formCluster();
        stage.eventually(
                "a's address is refused",
                () -> kind(() -> any().add(stage.peerUrl("a"), true, DEADLINE)) == Kind.REFUSED);
    }

    @Test
    void whoIsUnknownOrVotesAlreadyIsRefused() throws EtcdException {
        formCluster();
        MemberId voter = listed("b").id();
        assertThat(kind(() -> any().promote(voter, DEADLINE))).isEqualTo(Kind.REFUSED);
        assertThat(kind(() -> any().promote(new MemberId(1), DEADLINE))).isEqualTo(Kind.REFUSED);
        assertThat(kind(() -> any().remove(new MemberId(1), DEADLINE))).isEqualTo(Kind.REFUSED);
    }

    @Test
    void withADeadVoterNobodyComesAndOnlyTheDeadMayGo() throws EtcdException {
        formCluster();
        MemberId dead = listed("c").id();
        MemberId healthy = listed("b").id();
        addLearner();
        MemberId learner = listed("d").id();
        stage.kill("c");
        stage.eventually("c is missed", () -> readsThrough("a") && readsThrough("b"));
        stage.eventually("a healthy one stays", () -> kind(() -> any().remove(healthy, DEADLINE)) == Kind.NOT_YET);
        any().remove(learner, DEADLINE);
        assertThat(kind(() -> any().add(stage.peerUrl("d"), true, DEADLINE))).isEqualTo(Kind.NOT_YET);
        stage.eventually("the dead one goes", () -> succeeds(() -> any().remove(dead, DEADLINE)));
        assertThat(any().agreedMembers(DEADLINE)).hasSize(2);
        addLearner();
    }

    @Test
    void whoeverIsRemovedExitsAndIsNeverLetInAgain() {
        formCluster();
        stage.eventually(
                "c is removed", () -> succeeds(() -> any().remove(listed("c").id(), DEADLINE)));
        stage.eventually("c exits", () -> !stage.isRunning("c"));
        stage.start(onDataOnly("c"));
        stage.eventually("c exits again", () -> !stage.isRunning("c"));
        awaitWell("a");
    }

    @Test
    void oldDataBesideANewMemberOfTheSameAddressIsTurnedAway() throws EtcdException {
        formCluster();
        stage.eventually(
                "c is removed", () -> succeeds(() -> any().remove(listed("c").id(), DEADLINE)));
        stage.eventually("c exits", () -> !stage.isRunning("c"));
        addLearner("c");
        stage.start(joining("c", NAMES));
        stage.eventually("c exits again", () -> !stage.isRunning("c"));
        stage.emptyDisk("c");
        stage.start(joining("c", NAMES));
        stage.eventually("c follows", () -> isLearner("c"));
    }

    @Test
    void whoWasNotAddedOrNotToldOfEverybodyDoesNotStart() {
        formCluster();
        stage.start(joining("d", PLACES));
        stage.eventually("d, not added, gives up", () -> !stage.isRunning("d"));
        addLearner();
        stage.start(joining("d", List.of("a", "b", "d")));
        stage.eventually("d, not told of c, gives up", () -> !stage.isRunning("d"));
    }

    @Test
    void leadershipMovesToAVoterAndOnlyThroughTheLeader() throws EtcdException {
        formCluster();
        String leader = leader();
        String other =
                NAMES.stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();
        MemberId to = listed(other).id();
        assertThat(kind(() -> stage.client(other).moveLeader(to, DEADLINE))).isEqualTo(Kind.NOT_YET);
        stage.client(leader).moveLeader(to, DEADLINE);
        stage.eventually(other + " leads", () -> leader().equals(other));
        assertThat(kind(() -> stage.client(other).moveLeader(new MemberId(1), DEADLINE)))
                .isEqualTo(Kind.NOT_YET);
    }

    @Test
    void withoutAQuorumNoListIsAgreedOnAndNobodyGoes() throws EtcdException {
        formCluster();
        MemberId dead = listed("c").id();
        stage.kill("b");
        stage.kill("c");
        stage.eventually("reads fail", () -> !readsThrough("a"));
        assertThat(kind(() -> stage.client("a").agreedMembers(Duration.ofSeconds(1))))
                .isEqualTo(Kind.NO_ANSWER);
        assertThat(kind(() -> stage.client("a").remove(dead, Duration.ofSeconds(1))))
                .isNotNull();
        assertThat(stage.client("a").members(DEADLINE)).hasSize(3);
    }

    private void promoteOrTellWhyNot() {
        var refusals = new ArrayList<String>();
        try {
            stage.eventually("d has a vote", () -> {
                try {
                    any().promote(listed("d").id(), DEADLINE);
                    return true;
                } catch (EtcdException e) {
                    refusals.add(e.kind() + " " + e.why());
                    return false;
                }
            });
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("etcd said, in this order: " + new LinkedHashSet<>(refusals), e);
        }
    }

    private EtcdClient any() {
        return stage.client("a");
    }

    private void addLearner() {
        addLearner("d");
    }

    /** etcd wants every voter connected for five seconds first; and one that has not heard yet would misinform d. */
    private void addLearner(String name) {
        stage.eventually(name + " is added", () -> succeeds(() -> any().add(stage.peerUrl(name), true, DEADLINE)));
        stage.eventually(
                "everybody knows " + name,
                () -> NAMES.stream()
                        .filter(other -> !other.equals(name) && stage.isRunning(other))
                        .allMatch(other -> knows(other, name)));
    }

    private boolean knows(String name, String other) {
        try {
            return stage.client(name).members(DEADLINE).stream()
                    .anyMatch(member -> member.peerUrls().contains(stage.peerUrl(other)));
        } catch (EtcdException e) {
            return false;
        }
    }

    private ListedMember listed(String name) throws EtcdException {
        return any().agreedMembers(DEADLINE).stream()
                .filter(member -> member.peerUrls().contains(stage.peerUrl(name)))
                .findFirst()
                .orElseThrow();
    }

    private String leader() {
        Predicate<String> leads = name -> status(name)
                .filter(status -> status.leader().equals(status.memberId()))
                .isPresent();
        return NAMES.stream().filter(leads).findFirst().orElse("nobody");
    }

    private boolean isLearner(String name) {
        return status(name).filter(EtcdClient.MemberStatus::learner).isPresent();
    }

    private Optional<EtcdClient.MemberStatus> status(String name) {
        try {
            return Optional.of(stage.client(name).status(DEADLINE));
        } catch (EtcdException e) {
            return Optional.empty();
        }
    }
}
