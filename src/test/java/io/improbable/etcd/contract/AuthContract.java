package io.improbable.etcd.contract;

import static io.improbable.etcd.contract.EtcdStage.NAMES;
import static io.improbable.etcd.contract.EtcdStage.PLACES;
import static io.improbable.etcd.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.improbable.etcd.domain.Keys;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.Permission;
import io.improbable.etcd.domain.Permission.Access;
import io.improbable.etcd.etcd.Accounts;
import io.improbable.etcd.etcd.Accounts.Login;
import io.improbable.etcd.etcd.Alarm;
import io.improbable.etcd.etcd.Credentials;
import io.improbable.etcd.etcd.EtcdClient;
import io.improbable.etcd.etcd.EtcdClient.ListedMember;
import io.improbable.etcd.etcd.EtcdException;
import io.improbable.etcd.etcd.EtcdException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** etcd's own authentication, as the operator meets it on every tested line. */
abstract class AuthContract extends EtcdTrial {
    static final Credentials US = new Credentials(ROOT, "first password");
    private static final Credentials ROTATED = new Credentials(ROOT, "second password");
    private static final Duration LONG = Duration.ofSeconds(10);

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
    void aNewPasswordEndsWhatTheOldOneBegan() throws EtcdException {
        formCluster();
        enable();
        EtcdClient before = root("b");
        before.linearizableRead(LONG);
        assertThat(before.accounts().tryLogin(US, LONG)).isEqualTo(Login.ACCEPTED);
        root("a").accounts().changePassword(ROOT, ROTATED.password(), LONG);
        stage.eventually("the old one is refused", () -> kind(() -> before.linearizableRead(LONG)) == Kind.NO_ACCESS);
        EtcdClient after = stage.client("b", ROTATED);
        after.linearizableRead(LONG);
        assertThat(after.accounts().tryLogin(US, LONG)).isEqualTo(Login.WRONG);
        assertThat(after.accounts().tryLogin(ROTATED, LONG)).isEqualTo(Login.ACCEPTED);
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

    @Test
    void itCanBeSwitchedOffAndOnAgain() throws EtcdException {
        formCluster();
        Accounts accounts = root("a").accounts();
        assertThat(accounts.isEnabled(LONG)).isFalse();
        accounts.disable(LONG);
        enable();
        accounts.enable(LONG);
        EtcdClient client = root("b");
        client.linearizableRead(LONG);
        accounts.disable(LONG);
        stage.eventually("b has heard", () -> succeeds(() -> client.linearizableRead(LONG)));
        stage.client("a").linearizableRead(LONG);
        assertThat(accounts.isEnabled(LONG)).isFalse();
        assertThat(accounts.tryLogin(US, LONG)).isEqualTo(Login.NOT_ENABLED);
        assertThat(accounts.users(LONG)).containsExactly(ROOT);
        accounts.enable(LONG);
        stage.eventually(
                "it is asked again", () -> kind(() -> stage.client("b").linearizableRead(LONG)) == Kind.NO_ACCESS);
        client.linearizableRead(LONG);
    }

    @Test
    void withoutRootItIsNotEnabled() throws EtcdException {
        formCluster();
        Accounts accounts = stage.client("a").accounts();
        assertThat(kind(() -> accounts.enable(LONG))).isEqualTo(Kind.REFUSED);
        accounts.addUser(ROOT, Optional.of("x"), LONG);
        assertThat(kind(() -> accounts.enable(LONG))).isEqualTo(Kind.REFUSED);
        assertThat(accounts.isEnabled(LONG)).isFalse();
    }

    @Test
    void everythingCanBeSaidTwice() throws EtcdException {
        formCluster();
        Accounts accounts = stage.client("a").accounts();
        Keys keys = new Keys.Under("/app/");
        for (int i = 0; i < 2; i++) {
            accounts.addRole("app", LONG);
            accounts.grant("app", new Permission(keys, Access.READ), LONG);
            accounts.addUser("app", Optional.of("x"), LONG);
            accounts.grantRole("app", "app", LONG);
        }
        for (int i = 0; i < 2; i++) {
            accounts.revokeRole("app", "app", LONG);
            accounts.revoke("app", keys, LONG);
            accounts.deleteUser("app", LONG);
        }
        accounts.deleteRole("app", LONG);
        accounts.deleteRole("app", LONG);
        assertThat(accounts.users(LONG)).isEmpty();
        assertThat(accounts.roles(LONG)).isEmpty();
    }

    @Test
    void whatWasGrantedIsListed() throws EtcdException {
        formCluster();
        Accounts accounts = stage.client("a").accounts();
        var one = new Permission(new Keys.One("leader"), Access.READ);
        var under = new Permission(new Keys.Under("/app/"), Access.READ);
        var strange = new Permission(new Keys.Under("/\u00ff"), Access.READ_WRITE);
        var all = new Permission(new Keys.Under(""), Access.WRITE);
        accounts.addRole("app", LONG);
        for (Permission permission : List.of(one, under, strange, all)) {
            accounts.grant("app", permission, LONG);
        }
        accounts.grant("app", new Permission(under.keys(), Access.READ_WRITE), LONG);
        assertThat(accounts.permissionsOf("app", LONG))
                .containsExactlyInAnyOrder(one, new Permission(under.keys(), Access.READ_WRITE), strange, all);
        accounts.revoke("app", one.keys(), LONG);
        assertThat(accounts.permissionsOf("app", LONG)).hasSize(3).doesNotContain(one);
        accounts.addUser("app", Optional.of("x"), LONG);
        accounts.grantRole("app", "app", LONG);
        assertThat(accounts.rolesOf("app", LONG)).containsExactly("app");
        accounts.deleteRole("app", LONG);
        assertThat(accounts.rolesOf("app", LONG)).isEmpty();
    }

    /** So that a plan must make such a user anew. */
    @Test
    void whoHasNoPasswordNeverGetsOne() throws EtcdException {
        formCluster();
        stage.client("a").accounts().addUser("app", Optional.empty(), LONG);
        stage.client("a").accounts().changePassword("app", "late", LONG);
        enable();
        assertThat(root("a").accounts().tryLogin(new Credentials("app", "late"), LONG))
                .isEqualTo(Login.PASSWORDLESS);
        assertThat(kind(() -> root("a").accounts().deleteUser(ROOT, LONG))).isEqualTo(Kind.REFUSED);
    }

    void enable() throws EtcdException {
        Accounts accounts = stage.client("a").accounts();
        accounts.addRole(ROOT, LONG);
        accounts.addUser(ROOT, Optional.of(US.password()), LONG);
        accounts.grantRole(ROOT, ROOT, LONG);
        accounts.enable(LONG);
        for (String name : NAMES) {
            stage.eventually(
                    name + " asks for it",
                    () -> kind(() -> stage.client(name).linearizableRead(LONG)) == Kind.NO_ACCESS);
        }
    }

    EtcdClient root(String name) {
        return stage.client(name, US);
    }

    private boolean leadershipMoves() {
        return succeeds(() -> {
            String leader = leader();
            root(leader).moveLeader(idOf(leader.equals("b") ? "c" : "b"), LONG);
        });
    }

    /** Where it is the leader itself that has to be asked. */
    String leader() throws EtcdException {
        MemberId leader = root("a").status(LONG).leader();
        return root("a").agreedMembers(LONG).stream()
                .filter(member -> member.id().equals(leader))
                .map(ListedMember::name)
                .findFirst()
                .orElseThrow(() -> new EtcdException(Kind.NOT_YET, "there is no leader"));
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
