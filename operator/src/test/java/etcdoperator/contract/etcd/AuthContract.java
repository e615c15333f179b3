package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static etcdoperator.contract.etcd.EtcdStage.PLACES;
import static etcdoperator.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the operator, and anybody else, is heard by an etcd that asks who he is, on every tested line. */
abstract class AuthContract extends AuthTrial {
    @Test
    void withItsCredentialsTheOperatorGoesOnAsBefore() throws EtcdException {
        formCluster();
        assertThat(stage.write("a", 1)).isTrue();
        root("b").linearizableRead(LONG);
        enable();
        for (String name : NAMES) {
            assertThat(root(name).status(LONG).memberId()).isNotNull();
            assertThat(root(name).members(LONG)).hasSize(3);
            assertThat(root(name).agreedMembers(LONG)).hasSize(3);
            root(name).linearizableRead(LONG);
            root(name).defragment(LONG);
            assertThat(root(name).hashKv(0, LONG).hashRevision()).isPositive();
        }
        root("a").commitNothing(LONG);
        root("a").compact(1, LONG);
        root("a").disarm(new MemberId(1), Alarm.Kind.NOSPACE, LONG);
        stage.eventually("leadership moves", this::leadershipMoves);
    }

    @Test
    void membersComeAndGo() throws EtcdException {
        formCluster();
        enable();
        stage.eventually("d is added", () -> succeeds(() -> root("a").add(stage.peerUrl("d"), true, LONG)));
        stage.eventually("all know d", () -> NAMES.stream().allMatch(name -> membersOf(name) == 4));
        stage.start(joining("d", PLACES));
        stage.eventually(
                "d tells its status, as a learner or a voter",
                () -> succeeds(() -> root("d").status(LONG)));
        MemberId learner = idOf("d");
        stage.eventually("d gets its vote", () -> succeeds(() -> root(leader()).promote(learner, LONG)));
        stage.eventually("d reads", () -> succeeds(() -> root("d").linearizableRead(LONG)));
        MemberId leaver = idOf("c");
        stage.eventually("c goes", () -> succeeds(() -> root("a").remove(leaver, LONG)));
        stage.eventually("three are left", () -> membersOf("a") == 3);
    }

    @Test
    void whoDoesNotSayWhoHeIsIsToldToDoSo() throws EtcdException {
        formCluster();
        enable();
        EtcdClient nobody = stage.client("b");
        assertThat(kind(() -> nobody.linearizableRead(LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.agreedMembers(LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.hashKv(0, LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.defragment(LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.add(stage.peerUrl("d"), true, LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.remove(new MemberId(1), LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.promote(new MemberId(1), LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(kind(() -> nobody.accounts().users(LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(words(() -> nobody.linearizableRead(LONG))).contains("asks for a user and a password");
        assertThat(nobody.accounts().isEnabled(LONG)).as("anybody is told this").isTrue();
    }

    @Test
    void aWrongPasswordIsToldAndNotRepeated() throws EtcdException {
        formCluster();
        enable();
        EtcdClient wrong = stage.client("a", ROTATED);
        assertThat(kind(() -> wrong.linearizableRead(LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(words(() -> wrong.linearizableRead(LONG)))
                .contains("does not take the password of user root")
                .doesNotContain("second");
        EtcdClient unknown = stage.client("a", new Credentials("who", "knows"));
        assertThat(kind(() -> unknown.linearizableRead(LONG))).isEqualTo(Kind.NO_ACCESS);
    }

    /** The operator is root until it has made a user of its own, and where that one is taken from it. */
    @Test
    void whoIsNotKnownMaySayWhoElseHeIs() throws EtcdException {
        formCluster();
        enable();
        EtcdClient operator = stage.client("b", new Credentials(Accounts.OPERATOR, "own").or(US));
        operator.linearizableRead(LONG);
        root("a").accounts().addUser(Accounts.OPERATOR, Optional.of("own"), LONG);
        root("a").accounts().grantRole(Accounts.OPERATOR, ROOT, LONG);
        root("a").accounts().changePassword(ROOT, ROTATED.password(), LONG);
        stage.eventually("it goes on as itself", () -> succeeds(() -> operator.linearizableRead(LONG)));
        operator.accounts().deleteUser(Accounts.OPERATOR, LONG);
        stage.eventually(
                "neither is known any more", () -> kind(() -> operator.linearizableRead(LONG)) == Kind.NO_ACCESS);
        assertThat(words(() -> operator.linearizableRead(LONG)))
                .contains("does not take the password of user ")
                .doesNotContain("own", US.password());
    }

    @Test
    void whoMayNotIsToldSo() throws EtcdException {
        formCluster();
        enable();
        root("a").accounts().addUser("app", Optional.of("secret"), LONG);
        EtcdClient app = stage.client("a", new Credentials("app", "secret"));
        assertThat(kind(() -> app.defragment(LONG))).isEqualTo(Kind.NO_ACCESS);
        assertThat(words(() -> app.defragment(LONG)))
                .contains("does not allow this to user app")
                .doesNotContain("secret");
    }

    @Test
    void aMemberThatWasRestartedIsToldAnew() throws EtcdException {
        formCluster();
        enable();
        EtcdClient client = root("b");
        client.linearizableRead(LONG);
        stage.kill("b");
        stage.start(onDataOnly("b"));
        stage.eventually("b reads again", () -> succeeds(() -> client.linearizableRead(LONG)));
        client.defragment(LONG);
    }

    private boolean leadershipMoves() {
        return succeeds(() -> {
            String leader = leader();
            root(leader).moveLeader(idOf(leader.equals("b") ? "c" : "b"), LONG);
        });
    }

    private MemberId idOf(String name) throws EtcdException {
        String url = stage.peerUrl(name);
        return root("a").agreedMembers(LONG).stream()
                .filter(member -> member.peerUrls().contains(url))
                .findFirst()
                .orElseThrow()
                .id();
    }

    private int membersOf(String name) {
        try {
            return root(name).agreedMembers(LONG).size();
        } catch (EtcdException e) {
            return -1;
        }
    }

    private static String words(Call call) {
        try {
            call.run();
            return "";
        } catch (EtcdException e) {
            return e.why() + " " + e.getMessage();
        }
    }
}
