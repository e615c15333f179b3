package etcdoperator.cluster.tls;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.observe.Certified;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.SecretKeys.Side;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecretViewTest {
    private static final Set<Usage> BOTH = Set.of(Usage.SERVER, Usage.CLIENT);

    private static Optional<String> complaint(Secret secret, String name, Instant at) {
        return new SecretView(secret, Side.SERVER).complaint(Set.of(name), BOTH, at);
    }

    private static Secret server() {
        return Certified.ready(Certified.BOTH).secret("c-server-tls");
    }

    @Test
    void whatIsGoodIsNotComplainedOf() {
        assertThat(complaint(server(), "c-0.c.ns.svc", Certified.NOW)).isEmpty();
        assertThat(new SecretView(server(), Side.SERVER).files())
                .hasValueSatisfying(files -> assertThat(files.certificate()).isEqualTo("tls.crt"));
    }

    @Test
    void whatIsMissingIsNamed() {
        Secret secret = server();
        secret.setData(Map.of(TlsSecrets.CERTIFICATE, secret.getData().get(TlsSecrets.CERTIFICATE)));
        assertThat(complaint(secret, "c-0.c.ns.svc", Certified.NOW)).contains("has no tls.key, ca.crt");
        assertThat(new SecretView(secret, Side.SERVER).files()).isEmpty();
        assertThat(new SecretView(secret, Side.SERVER).certificate()).isEmpty();
    }

    @Test
    void oneWithoutAnythingIsOnlyIncomplete() {
        Secret empty = new SecretBuilder()
                .withNewMetadata()
                .withName("mine")
                .endMetadata()
                .build();
        assertThat(complaint(empty, "c-0.c.ns.svc", Certified.NOW)).contains("has no tls.crt, tls.key, ca.crt");
    }

    @Test
    void namesItIsNotGoodForAreTold() {
        assertThat(complaint(server(), "elsewhere.example.com", Certified.NOW))
                .contains("it is not valid for elsewhere.example.com");
    }

    @Test
    void whatEndedIsTold() {
        assertThat(complaint(server(), "c-0.c.ns.svc", Certified.NOW.plus(Duration.ofDays(91))))
                .hasValueSatisfying(why -> assertThat(why).contains("the certificate ended on"));
    }

    @Test
    void whatCannotBeReadIsTold() {
        Secret secret = Certified.ready(Certified.BOTH)
                .damage("c-server-tls", TlsSecrets.TRUSTED, "////")
                .secret("c-server-tls");
        assertThat(complaint(secret, "c-0.c.ns.svc", Certified.NOW))
                .hasValueSatisfying(why -> assertThat(why).contains("ca.crt cannot be read"));
        assertThat(new SecretView(secret, Side.SERVER).files()).isEmpty();
    }

    @Test
    void keysNeverReachALogLine() {
        assertThat(new SecretView(server(), Side.SERVER)).hasToString("SecretView[c-server-tls]");
    }
}
