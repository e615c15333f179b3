package etcdoperator.contract.etcd;

import static etcdoperator.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import etcdoperator.domain.Permission.Access;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Accounts.Login;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Users, their passwords and roles, and whether etcd asks for them at all, on every tested line. */
abstract class UsersContract extends AuthTrial {
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
}
