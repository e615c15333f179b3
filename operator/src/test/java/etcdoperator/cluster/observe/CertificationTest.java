package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Problem;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.TrustBundle;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Secrets that users bring. */
class CertificationTest {
    private static final String BROUGHT =
            "{client: {secret: {name: mine, clientName: mine-too}}, peer: {secret: {name: ours}}}";

    private static Certified brought() {
        var source = Certified.ready(Certified.BOTH);
        return new Certified(BROUGHT)
                .with(named("mine", source.secret("c-server-tls")))
                .with(named("mine-too", source.secret("c-client-tls")))
                .with(named("ours", source.secret("c-peer-tls")));
    }

    private static Secret named(String name, Secret secret) {
        secret.getMetadata().setName(name);
        return secret;
    }

    private static String problem(Certified cluster) {
        return cluster.view().problem().map(Problem::message).orElse("");
    }

    @Test
    void whatUsersBringIsTakenOverAsItIs() {
        var cluster = brought();
        assertThat(problem(cluster)).isEmpty();
        assertThat(cluster.due()).containsExactly("c-server-mounted from mine ALL", "c-peer-mounted from ours ALL");
        var target = cluster.issueAll().view().target();
        assertThat(Objects.requireNonNull(target.client()).files().name()).isEqualTo("c-server-mounted");
        assertThat(Objects.requireNonNull(target.peer()).files().name()).isEqualTo("c-peer-mounted");
        assertThat(target.peer().commonName()).as("whatever name they have").isNull();
        assertThat(cluster.secret("c-peer-mounted").getData())
                .isEqualTo(cluster.secret("ours").getData());
    }

    @Test
    void whatIsNotThereIsAskedFor() {
        assertThat(problem(brought().without("mine")))
                .contains("Secret mine, which spec.tls.client names, does not exist");
        assertThat(problem(brought().without("mine-too"))).contains("Secret mine-too, which spec.tls.client names");
        assertThat(problem(brought().without("ours"))).contains("Secret ours, which spec.tls.peer names");
    }

    @Test
    void whatCannotBeUsedIsToldWithItsReason() {
        assertThat(problem(brought().later(Duration.ofDays(91)))).contains("Secret mine", "ended on");
        assertThat(problem(brought().damage("ours", TlsSecrets.KEY, "////")))
                .contains("Secret ours, which spec.tls.peer names, cannot be used: tls.key cannot be read");
        Secret client = Certified.ready(Certified.BOTH).secret("c-client-tls");
        assertThat(problem(brought().with(named("ours", client))))
                .contains("it is not valid for c-0.c.ns.svc; it may not be used by a server");
    }

    @Test
    void whatCannotBeUsedIsNotTakenOver() {
        assertThat(brought().damage("ours", TlsSecrets.KEY, "////").due())
                .containsExactly("c-server-mounted from mine ALL");
        var cluster = running();
        Secret client = Certified.ready(Certified.BOTH).secret("c-client-tls");
        assertThat(cluster.with(named("ours", client)).due()).isEmpty();
    }

    @Test
    void whileItCannotBeUsedNothingChangesForThoseWhoHaveIt() {
        var cluster = running();
        var before = cluster.view().target();
        assertThat(cluster.without("mine").without("ours").view().target()).isEqualTo(before);
    }

    /** Every member trusts the second authority before any shows what it has signed, and the first until none does. */
    @Test
    void anAuthorityThatIsReplacedAsAWholeIsFollowedTurnByTurn() {
        var cluster = running();
        var first = trusted(cluster, "c-peer-mounted");
        cluster.with(named("ours", Certified.ready(Certified.BOTH).secret("c-peer-tls")));
        var second = trusted(cluster, "ours");

        assertThat(cluster.due()).containsExactly("c-peer-mounted from ours TRUST");
        String shown = cluster.secret("c-peer-mounted").getData().get(TlsSecrets.CERTIFICATE);
        cluster.issue();
        assertThat(trusted(cluster, "c-peer-mounted")).isEqualTo(first.plus(second));
        assertThat(cluster.secret("c-peer-mounted").getData()).containsEntry(TlsSecrets.CERTIFICATE, shown);
        assertThat(cluster.due()).as("not all were started with it").isEmpty();

        assertThat(cluster.runsAsAsked().due()).containsExactly("c-peer-mounted from ours LEAF");
        cluster.issue();
        assertThat(trusted(cluster, "c-peer-mounted")).isEqualTo(first.plus(second));
        assertThat(cluster.due()).as("nobody was seen to show it").isEmpty();
        assertThat(cluster.view().look()).isTrue();

        var signer = CertificateView.of(TlsSecrets.text(cluster.secret("ours"), TlsSecrets.CERTIFICATE)
                        .orElseThrow())
                .issuerKeyId();
        cluster.later(Duration.ofSeconds(10));
        cluster.withChores(CertifiedMembers.sight(cluster.now(), new Chores.Issuers(Optional.empty(), signer)));
        assertThat(cluster.due()).containsExactly("c-peer-mounted from ours ALL");
        assertThat(trusted(cluster.issue(), "c-peer-mounted")).isEqualTo(second);
        assertThat(cluster.due()).isEmpty();
    }

    /** Whoever has nothing to show cannot be started, so nobody would ever have followed. */
    @Test
    void whatCannotBeShownAnyMoreIsNotWaitedFor() {
        var cluster = running();
        cluster.with(named("ours", Certified.ready(Certified.BOTH).secret("c-peer-tls")))
                .issue();
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.damage("c-peer-mounted", TlsSecrets.KEY, "////").due())
                .containsExactly("c-peer-mounted from ours LEAF");
    }

    @Test
    void aRenewalByTheSameAuthorityIsTakenOverAtOnce() {
        var source = Certified.ready(Certified.BOTH);
        var cluster = new Certified(BROUGHT)
                .with(named("mine", Serialization.clone(source.secret("c-server-tls"))))
                .with(named("mine-too", Serialization.clone(source.secret("c-client-tls"))))
                .with(named("ours", Serialization.clone(source.secret("c-peer-tls"))))
                .issueAll()
                .runsAsAsked();
        source.without("c-peer-tls").issueAll();
        cluster.with(named("ours", source.secret("c-peer-tls")));
        assertThat(cluster.due()).containsExactly("c-peer-mounted from ours LEAF");
        assertThat(cluster.issueAll().view().target()).isEqualTo(running(cluster));
    }

    private static Certified running() {
        return brought().issueAll().runsAsAsked();
    }

    private static TlsSetup running(Certified cluster) {
        return cluster.runsAsAsked().view().target();
    }

    private static TrustBundle trusted(Certified cluster, String secret) {
        return TrustBundle.of(
                TlsSecrets.text(cluster.secret(secret), TlsSecrets.TRUSTED).orElseThrow());
    }
}
