package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.CertificateView;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The Secret of the authority is gone, or was made anew by somebody who saw less than there is. */
class LostAuthorityTest {
    @Test
    void whereOnlyTheAuthorityIsGoneAnotherIsIntroducedBesideIt() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked();
        String first = Certified.text(cluster.secret("c-peer-tls"), TlsSecrets.TRUSTED);
        assertThat(cluster.without("c-ca").due()).containsExactly("c-ca RESCUE");
        var view = AuthorityView.of(cluster.issue().secret("c-ca"));
        assertThat(view.signs()).isEqualTo(CertificateView.of(first));
        assertThat(view.next()).isPresent();
        assertThat(view.trusted().certificates()).hasSize(2);
        assertThat(cluster.issueAll().due()).isEmpty();
    }

    @Test
    void whatCertManagerLeftIsNothingToRescue() {
        var cluster = Certified.ready(Certified.BOTH).without("c-ca");
        List.of("c-server-tls", "c-peer-tls", "c-client-tls", "c-operator-tls")
                .forEach(name -> cluster.secret(name)
                        .getMetadata()
                        .setAnnotations(Map.of("cert-manager.io/certificate-name", name)));
        assertThat(cluster.runs(TlsView.PLAIN.target()).due()).containsExactly("c-ca BEGIN");
        assertThat(cluster.issueAll().view().problem()).isEmpty();
    }

    /** What is left of a side that has been plaintext for long may remember another one. */
    @Test
    void whereSecretsRememberDifferentAuthoritiesAllAreTrusted() {
        var old = Certified.ready(Certified.BOTH).secret("c-server-tls");
        var cluster = Certified.ready("{peer: {managed: {}}}").runsAsAsked().with(old);
        String used = Certified.text(cluster.secret("c-peer-tls"), TlsSecrets.TRUSTED);
        var view = AuthorityView.of(cluster.without("c-ca").issue().secret("c-ca"));
        assertThat(view.trusted().contains(CertificateView.of(used).fingerprint()))
                .isTrue();
        assertThat(view.trusted().certificates()).hasSize(3);
    }

    @Test
    void whatTheLostKeyWouldHaveToSignWaitsForTheNextOne() {
        var cluster = Certified.ready(Certified.BOTH)
                .runsAsAsked()
                .without("c-ca")
                .issueAll()
                .runsAsAsked();
        cluster.asks("{client: {managed: {}}, peer: {managed: {}}, extraSANs: [etcd.example.com]}");
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.runsAsAsked().later(Duration.ofMinutes(5)).due()).containsExactly("c-ca SUCCEED");
        assertThat(cluster.issue().due()).containsExactlyElementsOf(Certified.LEAVES);
        assertThat(cluster.issueAll().view().problem()).isEmpty();
    }

    /** The watch of Secrets was behind: neither they nor the pods were seen, and so another authority was begun. */
    private static Certified begunTooLate() {
        Secret latecomer = Certified.ready(Certified.BOTH).secret("c-ca");
        return Certified.ready(Certified.BOTH).runsAsAsked().with(latecomer);
    }

    @Test
    void anAuthorityThatWasBegunTooLateSignsAfterAllTrustIt() {
        for (var cluster : List.of(begunTooLate(), begunTooLate().leaves())) {
            Secret peer = cluster.secret("c-peer-tls");
            CertificateView late = Certified.certificate(cluster.secret("c-ca"));
            assertThat(cluster.due()).containsExactly("c-ca YIELD");
            var view = AuthorityView.of(cluster.issue().secret("c-ca"));
            assertThat(view.signs()).isEqualTo(CertificateView.of(Certified.text(peer, TlsSecrets.TRUSTED)));
            assertThat(view.next()).contains(late);
            assertThat(view.nextKeyed()).isTrue();
            Secret after = cluster.issueAll().secret("c-peer-tls");
            assertThat(Certified.text(after, TlsSecrets.CERTIFICATE))
                    .isEqualTo(Certified.text(peer, TlsSecrets.CERTIFICATE));
            assertThat(cluster.view().problem()).isEmpty();
            assertThat(cluster.runsAsAsked().later(Duration.ofMinutes(5)).due()).containsExactly("c-ca SUCCEED");
            assertThat(Certified.certificate(cluster.issueAll().secret("c-peer-tls"))
                            .namesAsIssuer(late))
                    .isTrue();
        }
    }

    @Test
    void oneThatWasBegunTooLateReplacesNothingBeforeAllIsSeen() {
        var cluster = begunTooLate().without("c-server-tls");
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().problem().map(Problem::message).orElse("")).contains("delete all pods");
        assertThat(cluster.leaves().due())
                .as("making one that is there is refused, and nothing else is done then")
                .containsExactly("c-server-tls", "c-client-tls", "c-operator-tls", "c-peer-tls");
        Secret server = Certified.ready(Certified.BOTH)
                .with(cluster.secret("c-ca"))
                .issueAll()
                .secret("c-server-tls");
        assertThat(cluster.with(server).due())
                .as("cut short after the first")
                .containsExactly("c-client-tls", "c-operator-tls", "c-peer-tls");
        assertThat(cluster.issueAll().view().problem()).isEmpty();
    }

    @Test
    void whereTheOneBeforeHasEndedTheLatecomerSignsAtOnce() {
        var cluster = Certified.ready(Certified.BOTH)
                .runsAsAsked()
                .later(Duration.ofDays(3651))
                .leaves();
        assertThat(cluster.due()).containsExactly("c-ca BEGIN");
        assertThat(cluster.issue().due()).containsExactlyElementsOf(Certified.LEAVES);
    }

    @Test
    void whatIsLostTogetherWithTheKeyIsLeftToPeople() {
        var cluster =
                Certified.ready(Certified.BOTH).runsAsAsked().without("c-ca").without("c-peer-tls");
        assertThat(cluster.issue().due()).isEmpty();
        assertThat(cluster.view().problem().map(Problem::message).orElse(""))
                .contains("so is what was in c-peer-tls", "delete all Secrets");
    }

    @Test
    void whereNobodyRunsALostKeyIsNoLoss() {
        var cluster = Certified.ready(Certified.BOTH).without("c-ca").without("c-peer-tls");
        assertThat(cluster.due()).containsExactly("c-ca BEGIN");
        assertThat(cluster.issueAll().view().problem()).isEmpty();
    }

    @Test
    void whereNothingIsLeftAllIsMadeAnew() {
        var cluster = Certified.ready(Certified.BOTH).without("c-ca");
        Certified.LEAVES.forEach(cluster::without);
        assertThat(cluster.due()).containsExactly("c-ca BEGIN");
    }

    @Test
    void whereNothingIsLeftWhileMembersRunNothingIsMade() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked().without("c-ca");
        Certified.LEAVES.forEach(cluster::without);
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().problem().map(Problem::message).orElse("")).contains("delete all pods");
    }
}
