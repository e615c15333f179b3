package etcdoperator.contract.etcd;

import static etcdoperator.contract.etcd.EtcdStage.NAMES;
import static etcdoperator.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.execute.AccountKeeper;
import etcdoperator.domain.Keys;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Permission;
import etcdoperator.domain.Permission.Access;
import etcdoperator.etcd.AccountBook;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.etcd.Accounts.Login;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes on the loopback, of each line that is tested. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealAuthIT extends AuthContract {
    private static final Duration SHORT = Duration.ofSeconds(2);

    @Parameter
    String version;

    @Override
    EtcdStage open() {
        return new ProcessStage(EtcdBinary.of(version));
    }

    /** Where somebody has enabled it by hand: 3.4 still tells its status and members, and protects much less. */
    @Test
    void whatIsStillSeenOfAClusterThatAsksForAPassword() throws EtcdException {
        formCluster();
        enable();
        boolean open = version.startsWith("3.4.");
        EtcdClient nobody = stage.client("b");
        Kind refused = open ? null : Kind.NO_ACCESS;
        assertThat(kind(() -> nobody.status(DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.members(DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.commitNothing(DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.compact(1, DEADLINE))).isEqualTo(refused);
        assertThat(kind(() -> nobody.disarm(new MemberId(1), Alarm.Kind.NOSPACE, DEADLINE)))
                .isEqualTo(refused);
        assertThat(kind(() -> nobody.moveLeader(new MemberId(1), DEADLINE)))
                .isEqualTo(open ? Kind.NOT_YET : Kind.NO_ACCESS);
    }

    /** A follower passes a promotion on to the leader, and 3.4 forgets to say on whose behalf. */
    @Test
    void whoPromotesShouldAskTheLeader() throws EtcdException {
        formCluster();
        enable();
        String leader = leader();
        String follower =
                NAMES.stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();
        var nobody = new MemberId(1);
        assertThat(kind(() -> root(leader).promote(nobody, DEADLINE))).isEqualTo(Kind.REFUSED);
        assertThat(kind(() -> root(follower).promote(nobody, DEADLINE)))
                .isEqualTo(version.startsWith("3.4.") ? Kind.NO_ANSWER : Kind.REFUSED);
    }

    @Test
    void ordersAreCarriedOutAndReadBack() throws EtcdException {
        formCluster();
        Endpoint member = ((ProcessStage) stage).endpoint("a");
        Endpoint asRoot = new Endpoint(member.url(), member.authority(), member.tls(), Optional.of(US));
        var keeper = new AccountKeeper(GrpcEtcdClient::new);
        var allowed = new Permission(new Keys.Under("/app/"), Access.READ_WRITE);
        List<AccountOrder> orders = List.of(
                new AccountOrder.AddRole(ROOT),
                new AccountOrder.AddUser(ROOT, Optional.of(US.password())),
                new AccountOrder.GrantRole(ROOT, ROOT),
                new AccountOrder.AddRole("app"),
                new AccountOrder.Grant("app", allowed),
                new AccountOrder.AddUser("app", Optional.of("x")),
                new AccountOrder.GrantRole("app", "app"),
                new AccountOrder.AddUser("node", Optional.empty()),
                new AccountOrder.Enable());
        var passwords =
                Map.of(ROOT, Optional.of(US.password()), "app", Optional.of("y"), "node", Optional.<String>empty());
        assertThat(keeper.read(asRoot, passwords)).isEqualTo(new AccountBook(false, Map.of(), Map.of(), Map.of()));
        keeper.carryOut(asRoot, orders);
        keeper.carryOut(asRoot, orders);
        AccountBook book = keeper.read(asRoot, passwords);
        assertThat(book.enabled()).isTrue();
        assertThat(book.users()).isEqualTo(Map.of(ROOT, Set.of(ROOT), "app", Set.of("app"), "node", Set.of()));
        assertThat(book.roles()).containsOnlyKeys(ROOT, "app").containsEntry("app", List.of(allowed));
        assertThat(book.logins())
                .isEqualTo(Map.of(ROOT, Login.ACCEPTED, "app", Login.WRONG, "node", Login.PASSWORDLESS));
        keeper.carryOut(asRoot, List.of(new AccountOrder.ChangePassword("app", "y"), new AccountOrder.Disable()));
        assertThat(keeper.read(member, passwords).enabled()).isFalse();
    }

    /** Logging in takes a quorum; who has done so before goes on being heard. */
    @Test
    void withoutAQuorumOnlyWhoWasKnownBeforeIsHeard() throws EtcdException {
        formCluster();
        enable();
        EtcdClient known = root("a");
        known.linearizableRead(DEADLINE);
        stage.kill("b");
        stage.kill("c");
        stage.eventually("there is no leader", () -> {
            try {
                return !known.status(DEADLINE).knowsLeader();
            } catch (EtcdException e) {
                return false;
            }
        });
        assertThat(known.members(SHORT)).hasSize(3);
        assertThat(known.hashKv(0, SHORT).hashRevision()).isPositive();
        try (EtcdClient late = ((ProcessStage) stage).newClient("a", US)) {
            assertThat(kind(() -> late.hashKv(0, SHORT))).isEqualTo(Kind.NO_ANSWER);
            assertThat(kind(() -> late.status(SHORT))).isEqualTo(version.startsWith("3.4.") ? null : Kind.NO_ANSWER);
        }
    }
}
