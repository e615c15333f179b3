package etcdoperator.cluster.auth;

import static etcdoperator.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.AuthSpec;
import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import etcdoperator.domain.Permission.Access;
import etcdoperator.etcd.AccountBook;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.etcd.AccountOrder.AddRole;
import etcdoperator.etcd.AccountOrder.AddUser;
import etcdoperator.etcd.AccountOrder.ChangePassword;
import etcdoperator.etcd.AccountOrder.DeleteUser;
import etcdoperator.etcd.AccountOrder.Disable;
import etcdoperator.etcd.AccountOrder.Enable;
import etcdoperator.etcd.AccountOrder.Grant;
import etcdoperator.etcd.AccountOrder.GrantRole;
import etcdoperator.etcd.AccountOrder.Revoke;
import etcdoperator.etcd.AccountOrder.RevokeRole;
import etcdoperator.etcd.Accounts.Login;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccountPlanTest {
    private static final String SPEC = """
            enabled: true
            rootSecret: {name: root}
            users:
            - {name: app, passwordSecret: {name: app}, roles: [app]}
            - {name: node, roles: [app]}
            roles:
            - name: app
              permissions:
              - {prefix: /app/, access: ReadWrite}
              - {key: leader, access: Read}
            """;
    private static final Map<String, String> PASSWORDS = Map.of(ROOT, "rootpw", "app", "apppw");
    private static final Permission APP = new Permission(new Keys.Under("/app/"), Access.READ_WRITE);
    private static final Permission LEADER = new Permission(new Keys.One("leader"), Access.READ);
    private static final AccountBook NOTHING = new AccountBook(false, Map.of(), Map.of(), Map.of());
    private static final AccountBook AS_WANTED = book(
            Map.of(ROOT, Set.of(ROOT), "app", Set.of("app"), "node", Set.of("app")),
            Map.of(ROOT, List.of(), "app", List.of(APP, LEADER)),
            Map.of(ROOT, Login.ACCEPTED, "app", Login.ACCEPTED, "node", Login.PASSWORDLESS));

    @Test
    void rootFirstRolesBeforeUsersAndEnabledLast() {
        assertThat(orders(NOTHING))
                .containsExactly(
                        new AddRole(ROOT),
                        new AddUser(ROOT, Optional.of("rootpw")),
                        new GrantRole(ROOT, ROOT),
                        new AddRole("app"),
                        new Grant("app", APP),
                        new Grant("app", LEADER),
                        new AddUser("app", Optional.of("apppw")),
                        new GrantRole("app", "app"),
                        new AddUser("node", Optional.empty()),
                        new GrantRole("node", "app"),
                        new Enable());
    }

    @Test
    void nothingIsLeftToDoOnceItIsSo() {
        assertThat(orders(AS_WANTED)).isEmpty();
    }

    /** Nobody can tell what its password is, or whether it has one: it would be a root that nobody can be. */
    @Test
    void whileItIsOffWhoIsThereIsMadeAnew() {
        var off = new AccountBook(false, AS_WANTED.users(), AS_WANTED.roles(), Map.of());
        assertThat(orders(off))
                .containsExactly(
                        new DeleteUser(ROOT),
                        new AddUser(ROOT, Optional.of("rootpw")),
                        new GrantRole(ROOT, ROOT),
                        new DeleteUser("app"),
                        new AddUser("app", Optional.of("apppw")),
                        new GrantRole("app", "app"),
                        new DeleteUser("node"),
                        new AddUser("node", Optional.empty()),
                        new GrantRole("node", "app"),
                        new Enable());
    }

    @Test
    void aPasswordThatIsWrongIsChanged() {
        assertThat(orders(with("app", Login.WRONG))).containsExactly(new ChangePassword("app", "apppw"));
    }

    /** It ends the session in which the others are changed. */
    @Test
    void rootsOwnIsChangedLast() {
        var both = book(AS_WANTED.users(), AS_WANTED.roles(), Map.of(ROOT, Login.WRONG, "app", Login.WRONG));
        assertThat(orders(both))
                .containsExactly(new ChangePassword("app", "apppw"), new ChangePassword(ROOT, "rootpw"));
    }

    @Test
    void whoGetsOrLosesAPasswordIsMadeAnew() {
        assertThat(orders(with("app", Login.PASSWORDLESS)))
                .containsExactly(
                        new DeleteUser("app"), new AddUser("app", Optional.of("apppw")), new GrantRole("app", "app"));
        assertThat(orders(with("node", Login.WRONG)))
                .containsExactly(
                        new DeleteUser("node"), new AddUser("node", Optional.empty()), new GrantRole("node", "app"));
    }

    @Test
    void whoseLoginWasNotTriedIsLeftAsHeIs() {
        assertThat(orders(book(AS_WANTED.users(), AS_WANTED.roles(), Map.of()))).isEmpty();
    }

    @Test
    void rolesAndPermissionsAreBroughtToWhatIsAskedFor() {
        var by = new Permission(new Keys.Under("/"), Access.WRITE);
        var drifted = book(
                Map.of(ROOT, Set.of(ROOT), "app", Set.of("other"), "node", Set.of("app")),
                Map.of(
                        ROOT,
                        List.of(by),
                        "app",
                        List.of(new Permission(APP.keys(), Access.READ), LEADER, by),
                        "other",
                        List.of()),
                AS_WANTED.logins());
        assertThat(orders(drifted))
                .containsExactly(
                        new Revoke("app", by.keys()),
                        new Grant("app", APP),
                        new RevokeRole("app", "other"),
                        new GrantRole("app", "app"));
    }

    @Test
    void strangersAreLeftAlone() {
        var more = book(
                Map.of(ROOT, Set.of(ROOT), "app", Set.of("app"), "node", Set.of("app"), "bob", Set.of("ops")),
                Map.of(ROOT, List.of(), "app", List.of(APP, LEADER), "ops", List.of()),
                AS_WANTED.logins());
        assertThat(orders(more)).isEmpty();
    }

    @Test
    void aRoleThatIsNowhereIsNamedAndNotGranted() {
        AccountPlan plan = plan(SPEC.replace("{name: node, roles: [app]}", "{name: node, roles: [ap]}"), NOTHING);
        assertThat(plan.missingRoles()).containsExactly("ap");
        assertThat(plan.orders()).doesNotContain(new GrantRole("node", "ap")).endsWith(new Enable());
    }

    @Test
    void oneMadeByHandCanBeGranted() {
        var made = book(
                AS_WANTED.users(),
                Map.of(ROOT, List.of(), "app", List.of(APP, LEADER), "ops", List.of()),
                AS_WANTED.logins());
        AccountPlan plan = plan(SPEC.replace("{name: node, roles: [app]}", "{name: node, roles: [app, ops]}"), made);
        assertThat(plan.orders()).containsExactly(new GrantRole("node", "ops"));
    }

    @Test
    void readingAndWritingTheSameKeysIsOnePermission() {
        AccountPlan plan = plan(
                SPEC.replace(
                        "{key: leader, access: Read}", "{key: leader, access: Read}\n  - {key: leader, access: Write}"),
                AS_WANTED);
        assertThat(plan.orders()).containsExactly(new Grant("app", new Permission(LEADER.keys(), Access.READ_WRITE)));
    }

    @Test
    void rootKeepsItsRoleWhateverTheSpecSays() {
        AccountPlan plan =
                plan("enabled: true\nusers: [{name: root, roles: [app]}]\nroles: [{name: app}, {name: root}]", NOTHING);
        assertThat(plan.orders())
                .containsExactly(
                        new AddRole(ROOT),
                        new AddUser(ROOT, Optional.of("rootpw")),
                        new GrantRole(ROOT, "app"),
                        new GrantRole(ROOT, ROOT),
                        new AddRole("app"),
                        new Enable());
    }

    @Test
    void switchedOffNothingElseIsDone() {
        assertThat(plan("enabled: false", AS_WANTED).orders()).containsExactly(new Disable());
        assertThat(plan("enabled: false", NOTHING).orders()).isEmpty();
        assertThat(plan("users: []", NOTHING).orders()).isEmpty();
    }

    @Test
    void aPasswordThatNobodyLookedUpIsAMistakeOfTheCaller() {
        assertThatThrownBy(() -> AccountPlan.Wanted.of(spec(SPEC), Map.of(ROOT, "x")))
                .hasMessageContaining("password of app");
    }

    @Test
    void noOrderTellsAPassword() {
        assertThat(orders(NOTHING).toString() + orders(with("app", Login.WRONG)))
                .doesNotContain("rootpw")
                .doesNotContain("apppw");
    }

    private static AccountBook with(String user, Login login) {
        var logins = new HashMap<>(AS_WANTED.logins());
        logins.put(user, login);
        return book(AS_WANTED.users(), AS_WANTED.roles(), logins);
    }

    private static AccountBook book(
            Map<String, Set<String>> users, Map<String, List<Permission>> roles, Map<String, Login> logins) {
        return new AccountBook(true, users, roles, logins);
    }

    private static List<AccountOrder> orders(AccountBook found) {
        return plan(found).orders();
    }

    private static AccountPlan plan(AccountBook found) {
        return plan(SPEC, found);
    }

    private static AccountPlan plan(String spec, AccountBook found) {
        return AccountPlan.of(AccountPlan.Wanted.of(spec(spec), PASSWORDS), found);
    }

    private static AuthSpec spec(String yaml) {
        return Serialization.unmarshal(yaml, AuthSpec.class);
    }
}
