package etcdoperator.cluster.execute;

import static etcdoperator.etcd.Accounts.OPERATOR;
import static etcdoperator.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.cluster.auth.Passwords;
import etcdoperator.cluster.observe.AuthReader;
import etcdoperator.cluster.observe.SecretsOf;
import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.view.AuthView;
import etcdoperator.contract.etcd.OneMember;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Accounts.Login;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.RaftSnapshots;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.etcd.grpc.HttpMemberMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** From Secrets to users in a real etcd, by the chores that passes begin, until there is nothing more to do. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealAccountsIT {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final ClusterKey KEY = new ClusterKey("ns", "c");
    private static final String SPEC = """
            auth:
              enabled: true
              rootSecret: {name: boss}
              users: [{name: app, passwordSecret: {name: app}, roles: [app]}, {name: node, roles: [app]}]
              roles: [{name: app, permissions: [{prefix: /app/, access: ReadWrite}]}]
            """;

    @Parameter
    String version;

    private final SecretsOf secrets = new SecretsOf();
    private final Semaphore ended = new Semaphore(0);
    private OneMember etcd;
    private BackgroundWorkshop workshop;

    @BeforeEach
    void start() {
        etcd = OneMember.plain(version);
        workshop = new BackgroundWorkshop(
                GrpcEtcdClient::new,
                new RaftSnapshots(new HttpMemberMetrics()),
                (member, deadline) -> false,
                (member, port, deadline) -> Optional.empty(),
                Clock.systemUTC(),
                cluster -> ended.release());
        secrets.spec(SPEC)
                .with("c-operator-password", "own")
                .with("boss", "first")
                .with("app", "apple");
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            try (EtcdClient client = new GrpcEtcdClient(etcd.endpoint(""))) {
                client.linearizableRead(LONG);
                return true;
            }
        });
    }

    @AfterEach
    void stop() {
        workshop.close();
        etcd.close();
    }

    @Test
    void allOfItsLife() throws Exception {
        settle();
        assertThat(login("boss not", "x")).isEqualTo(Login.WRONG);
        assertThat(login(ROOT, "first")).isEqualTo(Login.ACCEPTED);
        assertThat(login("app", "apple")).isEqualTo(Login.ACCEPTED);
        assertThat(login("node", "-")).isEqualTo(Login.PASSWORDLESS);

        secrets.with("boss", "second").with("app", "pear");
        settle();
        assertThat(login(ROOT, "first")).isEqualTo(Login.WRONG);
        assertThat(login(ROOT, "second")).isEqualTo(Login.ACCEPTED);
        assertThat(login("app", "pear")).isEqualTo(Login.ACCEPTED);

        secrets.spec(SPEC.replace("ReadWrite", "Read").replace("node, roles: [app]", "node, roles: [root]"));
        settle();
        asOperator(accounts -> {
            assertThat(accounts.rolesOf("node", LONG)).containsExactly(ROOT);
            assertThat(accounts.permissionsOf("app", LONG)).hasSize(1);
        });

        secrets.spec("{}");
        settle();
        assertThat(login(ROOT, "second")).isEqualTo(Login.NOT_ENABLED);
        assertThat(view().over()).isTrue();
        asOperator(accounts -> assertThat(accounts.users(LONG)).contains(ROOT, OPERATOR, "app", "node"));

        secrets.spec(SPEC).with("c-operator-password", "another");
        settle();
        assertThat(login(OPERATOR, "another")).isEqualTo(Login.ACCEPTED);
        assertThat(login(OPERATOR, "own")).isEqualTo(Login.WRONG);
    }

    @Test
    void somebodyHasEnabledItBefore() throws Exception {
        asOperator(accounts -> {
            accounts.addRole(ROOT, LONG);
            accounts.addUser(ROOT, Optional.of("first"), LONG);
            accounts.grantRole(ROOT, ROOT, LONG);
            accounts.enable(LONG);
        });
        settle();
        assertThat(login(OPERATOR, "own")).isEqualTo(Login.ACCEPTED);
        asOperator(accounts -> accounts.deleteUser(OPERATOR, LONG));
        workshop.forget(KEY);
        settle();
        assertThat(login(OPERATOR, "own")).isEqualTo(Login.ACCEPTED);
        asOperator(accounts -> accounts.changePassword(OPERATOR, "stolen", LONG));
        workshop.forget(KEY);
        settle();
        assertThat(login(OPERATOR, "own")).isEqualTo(Login.ACCEPTED);
    }

    /** As passes would, one step after another. */
    private void settle() throws InterruptedException {
        for (int steps = 0; steps < 6; steps++) {
            AuthView view = view();
            assertThat(view.problem()).isEmpty();
            assertThat(view.due()).isEmpty();
            if (!view.look() && view.orders().isEmpty()) {
                return;
            }
            begin(
                    view.look()
                            ? new Passwords(secrets.objects()).reading().orElseThrow()
                            : new Chore.ChangeAccounts(view.orders()));
        }
        throw new AssertionError("it has no end: " + view());
    }

    private void begin(Chore chore) throws InterruptedException {
        var contact = new Workshop.Contact(PeerName.parse("c-0"), endpoint(), Transport.PLAIN);
        do {
            // Whoever tells of a chore's end may still be busy with telling.
            workshop.begin(KEY, chore, Map.of(new MemberId(1), contact));
        } while (!ended.tryAcquire(1, TimeUnit.SECONDS));
        assertThat(workshop.done(KEY).trouble()).isEmpty();
    }

    private AuthView view() {
        return new AuthReader(secrets.objects(), Map.of(), workshop.done(KEY), Instant.now()).read();
    }

    private Endpoint endpoint() {
        Endpoint plain = etcd.endpoint("");
        return new Passwords(secrets.objects())
                .credentials(plain.url())
                .map(plain::with)
                .orElse(plain);
    }

    private interface Deed {
        void with(Accounts accounts) throws EtcdException;
    }

    private void asOperator(Deed deed) throws EtcdException {
        try (EtcdClient client = new GrpcEtcdClient(endpoint())) {
            deed.with(client.accounts());
        }
    }

    private Login login(String user, String password) throws EtcdException {
        try (EtcdClient client = new GrpcEtcdClient(etcd.endpoint(""))) {
            return client.accounts().tryLogin(new Credentials(user, password), LONG);
        }
    }
}
