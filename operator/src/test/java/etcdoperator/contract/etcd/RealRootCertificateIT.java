package etcdoperator.contract.etcd;

import static etcdoperator.etcd.Accounts.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Where members ask clients for a certificate, the operator's own makes it root, whoever has enabled authentication. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealRootCertificateIT {
    private static final Duration LONG = Duration.ofSeconds(10);

    @Parameter
    String version;

    private OneMember etcd;

    @BeforeEach
    void start() {
        etcd = OneMember.secure(version);
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            try (EtcdClient client = as("anybody")) {
                client.linearizableRead(LONG);
                return true;
            }
        });
    }

    @AfterEach
    void stop() {
        etcd.close();
    }

    @Test
    void theOperatorNeedsNoPassword() throws EtcdException {
        enableByHand(Optional.empty());
        try (EtcdClient operator = as(ROOT)) {
            assertThat(operator.status(LONG).learner()).isFalse();
            assertThat(operator.members(LONG)).hasSize(1);
            assertThat(operator.agreedMembers(LONG)).hasSize(1);
            operator.linearizableRead(LONG);
            operator.commitNothing(LONG);
            operator.compact(1, LONG);
            operator.defragment(LONG);
            operator.disarm(new MemberId(1), Alarm.Kind.NOSPACE, LONG);
            assertThat(operator.hashKv(0, LONG).hashRevision()).isPositive();
            assertThat(operator.accounts().users(LONG)).containsExactly(ROOT);
            operator.accounts().disable(LONG);
        }
    }

    @Test
    void whoShowsAnotherNameSaysWhoHeIs() throws EtcdException {
        enableByHand(Optional.of("secret"));
        try (EtcdClient nobody = as("somebody");
                EtcdClient withPassword =
                        new GrpcEtcdClient(etcd.endpoint("somebody").with(new Credentials(ROOT, "secret")))) {
            EtcdException refused = catchThrowableOfType(EtcdException.class, () -> nobody.defragment(LONG));
            assertThat(refused.kind()).as(refused.why()).isEqualTo(Kind.NO_ACCESS);
            withPassword.defragment(LONG);
            withPassword.linearizableRead(LONG);
            assertThat(withPassword.accounts().users(LONG)).containsExactly(ROOT);
        }
    }

    /** A wrong password does no harm to whoever is known by certificate. */
    @Test
    void theCertificateComesFirst() throws EtcdException {
        enableByHand(Optional.of("secret"));
        Endpoint endpoint = etcd.endpoint(ROOT).with(new Credentials(Accounts.OPERATOR, "made up"));
        try (EtcdClient operator = new GrpcEtcdClient(endpoint)) {
            operator.defragment(LONG);
            assertThat(operator.accounts().users(LONG)).containsExactly(ROOT);
        }
    }

    private void enableByHand(Optional<String> password) throws EtcdException {
        try (EtcdClient hand = as("hand")) {
            Accounts accounts = hand.accounts();
            accounts.addUser(ROOT, password, LONG);
            accounts.addRole(ROOT, LONG);
            accounts.grantRole(ROOT, ROOT, LONG);
            accounts.enable(LONG);
        }
    }

    private EtcdClient as(String commonName) {
        return new GrpcEtcdClient(etcd.endpoint(commonName));
    }
}
