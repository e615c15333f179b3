package etcdoperator.cluster.auth;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.auth.AccountPlan.WantedUser;
import etcdoperator.cluster.execute.PasswordOffice;
import etcdoperator.cluster.observe.AuthReader;
import etcdoperator.cluster.observe.SecretsOf;
import etcdoperator.cluster.view.AuthView;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.AccountBook;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Credentials;
import etcdoperator.kube.RecordingKube;
import etcdoperator.manifest.SecretNames;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** From spec and Secrets to who the operator is, what it wants, and what people are told. */
class PasswordsTest {
    private static final String WITH_USER = """
            auth:
              enabled: true
              rootSecret: {name: boss}
              users: [{name: app, passwordSecret: {name: app}}]
            """;
    private static final String ENABLED = "auth: {enabled: true}";
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final URI DOOR = URI.create("http://10.0.0.9:2379");

    private final SecretsOf secrets = new SecretsOf();

    @Test
    void withoutASpecNothingIsWantedAndNobodyIsAsked() {
        assertThat(passwords().credentials(DOOR)).isEmpty();
        assertThat(passwords().wanted()).isEmpty();
        assertThat(view(Chores.none(NOW))).isEqualTo(AuthView.NONE);
    }

    @Test
    void passwordsOfTheOperatorsChoiceAreMadeFirst() {
        secrets.spec(ENABLED);
        assertThat(passwords().due())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("c-operator-password", "etcd-operator", "c-root-password", "root"));
        assertThat(passwords().wanted()).isEmpty();
        assertThat(view(Chores.none(NOW)).look()).isFalse();
        secrets.spec(WITH_USER);
        assertThat(passwords().due()).containsOnlyKeys("c-operator-password");
    }

    @Test
    void theOperatorIsItselfOrElseRoot() {
        secrets.spec(ENABLED).with("c-operator-password", "own").with("c-root-password", "made");
        var root = new Credentials(Accounts.ROOT, "made", Optional.of(DOOR));
        assertThat(passwords().credentials(DOOR))
                .contains(new Credentials(Accounts.OPERATOR, "own", Optional.of(DOOR)).or(root));
        secrets.without("c-operator-password");
        assertThat(passwords().credentials(DOOR)).contains(root);
        secrets.spec(WITH_USER).with("boss", "brought");
        assertThat(passwords().credentials(DOOR))
                .contains(new Credentials(Accounts.ROOT, "brought", Optional.of(DOOR)));
    }

    @Test
    void whatIsMissingIsNamed() {
        secrets.spec(WITH_USER).with("c-operator-password", "own");
        assertThat(passwords().complaint())
                .contains(
                        "Secret boss, which spec.auth.rootSecret names for the password of root, is not there: create it with the key password");
        secrets.with("boss", "x").with("app", "pass", "y");
        assertThat(passwords().complaint())
                .contains(
                        "Secret app, which spec.auth.users names for the password of user app, has no key password, or an empty one: put the password there");
        assertThat(view(Chores.none(NOW)).problem().map(Problem::kind)).contains(Kind.PasswordMissing);
        secrets.with("app", "");
        assertThat(passwords().complaint()).isPresent();
        secrets.with("app", "y");
        assertThat(passwords().complaint()).isEmpty();
        assertThat(passwords().wanted().orElseThrow().users())
                .containsEntry("app", new WantedUser(Optional.of("y"), Set.of()))
                .containsEntry(Accounts.OPERATOR, new WantedUser(Optional.of("own"), Set.of(Accounts.ROOT)));
        assertThat(SecretNames.of(secrets.objects().cluster().getSpec())).containsExactlyInAnyOrder("boss", "app");
    }

    @Test
    void whateverIsWantedAnewIsLookedAtOnce() {
        secrets.spec(WITH_USER)
                .with("c-operator-password", "own")
                .with("boss", "x")
                .with("app", "y");
        Chores seen = Chores.none(NOW)
                .withAccounts(Optional.of(new Chores.AccountsSeen(
                        NOW,
                        passwords().fingerprint().orElseThrow(),
                        new AccountBook(false, Map.of(), Map.of(), Map.of()))));
        assertThat(view(Chores.none(NOW)).look()).isTrue();
        assertThat(view(seen).look()).isFalse();
        assertThat(view(seen).orders()).isNotEmpty().last().isEqualTo(new AccountOrder.Enable());
        secrets.with("app", "z");
        assertThat(view(seen).look()).isTrue();
        assertThat(view(seen).orders()).isEmpty();
        secrets.with("app", "y");
        assertThat(view(seen).look()).isFalse();
        secrets.spec(WITH_USER.replace("app,", "app2,"));
        assertThat(view(seen).look()).isTrue();
    }

    /** Somebody may have disabled authentication by hand, and nothing tells of it. */
    @Test
    void whatWasReadIsReadAgainAfterAWhile() {
        secrets.spec(ENABLED).with("c-operator-password", "own").with("c-root-password", "made");
        Chores seen = read(new AccountBook(true, Map.of(), Map.of(), Map.of()));
        Instant due = NOW.plus(Duration.ofMinutes(5));
        assertThat(view(seen).nextAt()).contains(due);
        assertThat(view(seen, due.minusMillis(1)).look()).isFalse();
        assertThat(view(seen, due).look()).isTrue();
        assertThat(view(seen, due).nextAt())
                .as("from then on it is awaited like any step")
                .isEmpty();
        assertThat(view(Chores.none(NOW)).nextAt()).isEmpty();
    }

    @Test
    void aRoleThatIsNowhereIsToldAndStopsNothing() {
        secrets.spec("auth: {enabled: true, users: [{name: app, roles: [ap]}]}")
                .with("c-operator-password", "own")
                .with("c-root-password", "made");
        AuthView view = view(read(new AccountBook(false, Map.of(), Map.of(), Map.of())));
        assertThat(view.problem()).isEmpty();
        assertThat(view.orders()).last().isEqualTo(new AccountOrder.Enable());
        assertThat(view.remark().map(Problem::kind)).contains(Kind.RoleMissing);
        assertThat(view.remark().map(Problem::message).orElse("")).contains("nor in etcd (ap)");
        var made = new AccountBook(false, Map.of(), Map.of("ap", List.of()), Map.of());
        assertThat(view(read(made)).remark()).isEmpty();
    }

    @Test
    void whoNoLongerWantsItHasItDisabledAndForgotten() {
        secrets.with("c-operator-password", "own").with("c-root-password", "made");
        assertThat(view(Chores.none(NOW)).look()).isTrue();
        assertThat(view(off(true)).orders()).containsExactly(new AccountOrder.Disable());
        assertThat(view(off(true)).over()).isFalse();
        assertThat(view(off(false)).orders()).isEmpty();
        assertThat(view(off(false)).over()).isTrue();
        secrets.with("c-operator-password", "username", "etcd-operator");
        assertThat(view(Chores.none(NOW))).isEqualTo(AuthView.NONE);
        secrets.spec("auth: {enabled: false}");
        assertThat(view(Chores.none(NOW)).look()).isTrue();
        assertThat(view(off(false)).over()).as("there is nothing to forget").isFalse();
    }

    @Test
    void whoIsNotLetInSaysWhatToSupply() {
        assertThat(denied().message())
                .startsWith("c-0 refuses: status: etcd asks for a user and a password")
                .contains("spec.auth.rootSecret and set spec.auth.enabled: true");
        secrets.spec(WITH_USER).with("boss", "x");
        assertThat(denied().message()).contains("into Secret boss").doesNotContain("enabled");
        secrets.spec(ENABLED);
        assertThat(denied().message()).contains("name that in spec.auth.rootSecret; the one in Secret c-root-password");
        assertThat(denied().kind()).isEqualTo(Kind.AccessDenied);
    }

    @Test
    void noPasswordIsEverPrinted() {
        secrets.spec(WITH_USER)
                .with("c-operator-password", "hush1")
                .with("boss", "hush2")
                .with("app", "hush3");
        Chores seen = Chores.none(NOW)
                .withAccounts(Optional.of(new Chores.AccountsSeen(
                        NOW,
                        passwords().fingerprint().orElseThrow(),
                        new AccountBook(false, Map.of(), Map.of(), Map.of()))));
        String printed = "%s %s %s %s %s %s"
                .formatted(
                        passwords(),
                        passwords().credentials(DOOR),
                        passwords().wanted(),
                        passwords().reading(),
                        passwords().fingerprint(),
                        view(seen));
        assertThat(printed).contains("etcd-operator", "app").doesNotContain("hush");
    }

    @Test
    void whatIsMadeIsLongAndNeverTheSame() throws Exception {
        var kube = new RecordingKube();
        secrets.spec(ENABLED);
        new PasswordOffice(secrets.objects()).make("c-root-password", "root", kube);
        assertThat(kube.calls()).containsExactly("create Secret c-root-password");
        secrets.with("c-operator-password", "own");
        new PasswordOffice(secrets.objects()).forget("c-operator-password", "etcd-operator", kube);
        assertThat(kube.calls()).last().asString().startsWith("replace Secret c-operator-password");
    }

    private Problem denied() {
        var answer =
                new Answer.Silent(NOW, "status: etcd asks for a user and a password, and there are none to give", true);
        return new AuthReader(secrets.objects(), Map.of(PeerName.parse("c-0"), answer), Chores.none(NOW), NOW)
                .read()
                .problem()
                .orElseThrow();
    }

    private static Chores off(boolean enabled) {
        return Chores.none(NOW)
                .withAccounts(Optional.of(
                        new Chores.AccountsSeen(NOW, "off", new AccountBook(enabled, Map.of(), Map.of(), Map.of()))));
    }

    private AuthView view(Chores chores) {
        return view(chores, NOW);
    }

    private AuthView view(Chores chores, Instant now) {
        return new AuthReader(secrets.objects(), Map.of(), chores, now).read();
    }

    private Chores read(AccountBook book) {
        var seen = new Chores.AccountsSeen(NOW, passwords().fingerprint().orElseThrow(), book);
        return Chores.none(NOW).withAccounts(Optional.of(seen));
    }

    private Passwords passwords() {
        return new Passwords(secrets.objects());
    }
}
