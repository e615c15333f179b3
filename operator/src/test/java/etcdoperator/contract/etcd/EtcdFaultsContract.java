package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static etcdoperator.contract.etcd.EtcdStage.PLACES;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.MetricsReading;
import etcdoperator.simulation.etcd.StartFlags;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Faults of etcd itself: how they show, and what cures them. */
abstract class EtcdFaultsContract extends EtcdTrial {
    /** Whoever joins from now on is sent a snapshot. Asked for before the cluster is formed. */
    abstract void joinersAreSentSnapshots();

    /** Writes so much that entries are not kept for joiners. */
    abstract void outgrowTheLog();

    /** Whether this etcd refuses its own publication while it takes itself for overloaded: from 3.6 on. */
    abstract boolean refusesItsPublication();

    /** Starts a member whose first publication is lost, so that it is not among the entries that follow the snapshot. */
    abstract void startUnheard(StartFlags flags);

    /** What its metrics tell, if they are served. */
    abstract Optional<MetricsReading> metrics(String name);

    /** A request of the leader to the voter, made before they were connected as they are now, fails late. */
    abstract void failLate(String leader, String voter);

    /** The end of what it has said, as a kubelet keeps it. */
    abstract String lastWords(String name);

    @Test
    void aJoinerThatWasSentASnapshotServesAfterTheNextEntry() throws EtcdException {
        joinersAreSentSnapshots();
        formCluster();
        outgrowTheLog();
        addLearner();
        startUnheard(joining("d", PLACES));
        stage.eventually("d has all there is", () -> hasAll("d"));
        if (!refusesItsPublication()) {
            stage.eventually("d serves by itself", this::dServes);
            return;
        }
        stage.aWhile();
        stage.aWhile();
        stage.aWhile();
        assertThat(hasAll("d")).as("nothing comes after it").isTrue();
        assertThat(kind(() -> stage.client("d").status(DEADLINE))).isEqualTo(Kind.NO_ANSWER);
        stage.client(leader()).commitNothing(DEADLINE);
        stage.eventually("d serves", this::dServes);
    }

    @Test
    void aLeaderThatCountsAVoterAsDisconnectedRefusesUntilAnotherLeads() throws EtcdException {
        formCluster();
        stage.eventually("additions are possible", () -> succeeds(this::addAndRemove));
        String leader = leader();
        String voter =
                NAMES.stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();
        failLate(leader, voter);
        stage.eventually(leader + " counts it as disconnected", () -> !counts(leader, voter));
        for (int i = 0; i < 3; i++) {
            stage.aWhile();
            assertThat(counts(leader, voter)).isFalse();
            assertThat(counts(voter, leader)).isTrue();
            assertThat(readsThrough(voter)).isTrue();
            assertThat(kind(() -> stage.client(leader).add(stage.peerUrl("d"), true, DEADLINE)))
                    .isEqualTo(Kind.NOT_YET);
        }
        stage.client(leader).moveLeader(id(voter), DEADLINE);
        stage.eventually(
                "the next leader adds d",
                () -> succeeds(() -> stage.client(voter).add(stage.peerUrl("d"), true, DEADLINE)));
    }

    @Test
    void aLearnerThatForgetsPanics() {
        formCluster();
        addLearner();
        stage.start(joining("d", PLACES));
        stage.eventually("d serves", this::dServes);
        stage.kill("d");
        stage.emptyDisk("d");
        stage.start(joining("d", PLACES));
        stage.eventually("d has ended", () -> !stage.isRunning("d"));
        assertThat(lastWords("d")).containsAnyOf("tocommit", "raftLog).commitTo");
    }

    private void addAndRemove() throws EtcdException {
        stage.client(leader()).add(stage.peerUrl("d"), true, DEADLINE);
        stage.client(leader()).remove(id("d"), DEADLINE);
    }

    private void addLearner() {
        stage.eventually(
                "d is added", () -> succeeds(() -> stage.client(leader()).add(stage.peerUrl("d"), true, DEADLINE)));
        stage.eventually("everybody knows d", () -> NAMES.stream().allMatch(this::knowsD));
    }

    private boolean knowsD(String name) {
        try {
            return stage.client(name).members(DEADLINE).stream()
                    .anyMatch(member -> member.peerUrls().contains(stage.peerUrl("d")));
        } catch (EtcdException e) {
            return false;
        }
    }

    private boolean dServes() {
        return status("d").filter(MemberStatus::learner).isPresent();
    }

    private boolean hasAll(String name) {
        long there = status(leader()).map(MemberStatus::raftIndex).orElse(Long.MAX_VALUE);
        return metrics(name).filter(own -> own.committed() >= there).isPresent();
    }

    private boolean counts(String name, String other) {
        try {
            MemberId id = id(other);
            return metrics(name)
                    .filter(own -> own.connections().getOrDefault(id, false))
                    .isPresent();
        } catch (EtcdException e) {
            return false;
        }
    }

    private MemberId id(String name) throws EtcdException {
        return stage.client(leader()).agreedMembers(DEADLINE).stream()
                .filter(member -> member.peerUrls().contains(stage.peerUrl(name)))
                .map(EtcdClient.ListedMember::id)
                .findFirst()
                .orElseThrow();
    }

    private String leader() {
        return NAMES.stream()
                .filter(name -> status(name)
                        .filter(status -> status.leader().equals(status.memberId()))
                        .isPresent())
                .findFirst()
                .orElse(NAMES.getFirst());
    }

    private Optional<MemberStatus> status(String name) {
        try {
            return Optional.of(stage.client(name).status(DEADLINE));
        } catch (EtcdException e) {
            return Optional.empty();
        }
    }
}
