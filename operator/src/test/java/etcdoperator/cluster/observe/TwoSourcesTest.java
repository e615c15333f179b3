package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.view.Chores;
import etcdoperator.tls.CertificateView;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clusters whose certificates for clients come from elsewhere than those for members. */
class TwoSourcesTest {
    private static final Optional<String> SOMEBODY = Optional.of("somebody else's key");

    @Test
    void whatOthersHaveMadeDoesNotKeepTheAuthorityFromBeingForgotten() {
        var cluster = succeeded("{client: {secret: {name: mine}}, peer: {managed: {}}}");
        var signer = cluster.keyIdOfAuthority();
        assertThat(cluster.after(new Chores.Issuers(SOMEBODY, SOMEBODY))).isEmpty();
        assertThat(cluster.after(new Chores.Issuers(signer, SOMEBODY)))
                .as("it is the other side")
                .isEmpty();
        assertThat(cluster.after(new Chores.Issuers(SOMEBODY, Optional.empty())))
                .as("it was not seen")
                .isEmpty();
        assertThat(cluster.after(new Chores.Issuers(SOMEBODY, signer))).containsExactly("c-ca RETIRE");
    }

    @Test
    void norDoesItOnTheSideOfMembers() {
        var cluster = succeeded("{client: {managed: {}}, peer: {secret: {name: mine}}}");
        var signer = cluster.keyIdOfAuthority();
        assertThat(cluster.after(new Chores.Issuers(SOMEBODY, signer))).isEmpty();
        assertThat(cluster.after(new Chores.Issuers(signer, SOMEBODY))).containsExactly("c-ca RETIRE");
    }

    @Test
    void withoutTlsOnOneSideOnlyTheOtherIsLookedAt() {
        var cluster = succeeded("{peer: {managed: {}}}");
        assertThat(cluster.after(new Chores.Issuers(Optional.empty(), cluster.keyIdOfAuthority())))
                .containsExactly("c-ca RETIRE");
    }

    @Test
    void whatMembersStillUseIsRenewedWhileCertManagerServesTheOtherSide() {
        var cluster = Certified.ready("{peer: {managed: {}}}").runsAsAsked();
        cluster.asks("{client: {certManager: {issuerRef: {name: mine}}}}").later(Duration.ofDays(61));
        assertThat(cluster.due()).contains("c-peer-tls");
    }

    @Test
    void andSoIsWhatClientsStillUse() {
        var cluster = Certified.ready("{client: {managed: {}}}").runsAsAsked();
        cluster.asks("{peer: {certManager: {issuerRef: {name: mine}}}}").later(Duration.ofDays(61));
        assertThat(cluster.due()).contains("c-server-tls");
    }

    @Test
    void whatCertManagerMakesIsRenewedByNobodyElse() {
        var cluster = Certified.ready("{peer: {managed: {}}}").runsAsAsked();
        Secret secret = cluster.secret("c-peer-tls");
        secret.getMetadata().setAnnotations(Map.of("cert-manager.io/certificate-name", "c-peer-tls"));
        cluster.asks("").later(Duration.ofDays(61));
        assertThat(cluster.due()).isEmpty();
    }

    /** At the point where only what members show keeps the first authority. */
    private static Rotated succeeded(String tls) {
        Secret mine = Certified.ready(Certified.BOTH).secret("c-server-tls");
        mine.getMetadata().setName("mine");
        var cluster = new Certified(tls).with(mine).issueAll().runsAsAsked().wishes("now");
        cluster.issueAll().runsAsAsked().later(Duration.ofMinutes(5)).issueAll();
        cluster.runsAsAsked().later(Duration.ofMinutes(5));
        assertThat(cluster.view().look()).isTrue();
        return new Rotated(cluster);
    }

    private record Rotated(Certified cluster) {
        Optional<String> keyIdOfAuthority() {
            CertificateView signs = AuthorityView.of(cluster.secret("c-ca")).signs();
            return signs.keyId();
        }

        List<String> after(Chores.Issuers seen) {
            return cluster.withChores(CertifiedMembers.sight(cluster.now(), seen))
                    .due();
        }
    }
}
