package io.improbable.etcd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.improbable.etcd.manifest.TlsSecrets;
import java.time.Duration;
import java.util.Objects;
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
        assertThat(cluster.view().due()).isEmpty();
        return cluster.view().problem().map(Problem::message).orElse("");
    }

    @Test
    void whatUsersBringIsUsedAsItIs() {
        assertThat(problem(brought())).isEmpty();
        var target = brought().view().target();
        assertThat(Objects.requireNonNull(target.client()).files().name()).isEqualTo("mine");
        assertThat(Objects.requireNonNull(target.peer()).files().name()).isEqualTo("ours");
        assertThat(target.peer().commonName()).as("whatever name they have").isNull();
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
    void whileItCannotBeUsedNothingChangesForThoseWhoHaveIt() {
        var cluster = brought().runsAsAsked();
        var before = cluster.view().target();
        assertThat(cluster.without("mine").without("ours").view().target()).isEqualTo(before);
    }

    @Test
    void anotherTrustIsAnotherSetup() {
        var before = brought().view().target();
        var other = Certified.ready(Certified.BOTH).secret("c-peer-tls");
        assertThat(brought().with(named("ours", other)).view().target()).isNotEqualTo(before);
    }
}
