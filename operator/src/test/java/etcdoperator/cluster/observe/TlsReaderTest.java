package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.TlsSetup.PeerStage;
import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.CertificateView;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TlsReaderTest {
    @Test
    void withoutTlsNothingIsToBeMade() {
        assertThat(new Certified("").view()).isEqualTo(TlsView.PLAIN);
        assertThat(new Certified("").runs(TlsView.PLAIN.target()).view()).isEqualTo(TlsView.PLAIN);
    }

    @Test
    void theAuthorityComesFirstAndLeavesFollow() {
        var cluster = new Certified(Certified.BOTH);
        assertThat(cluster.due()).containsExactly("c-ca BEGIN");
        assertThat(cluster.issue().due()).containsExactlyElementsOf(Certified.LEAVES);
        assertThat(cluster.issue().due()).isEmpty();
        assertThat(cluster.view().problem()).isEmpty();
        assertThat(Certified.LEAVES)
                .allSatisfy(leaf -> assertThat(Certified.certificate(cluster.secret(leaf))
                                .namesAsIssuer(Certified.certificate(cluster.secret("c-ca"))))
                        .isTrue());
    }

    @Test
    void eachSideHasOnlyItsOwn() {
        assertThat(new Certified("{client: {managed: {}}}").issue().due())
                .containsExactly("c-client-tls", "c-operator-tls", "c-server-tls");
        assertThat(new Certified("{peer: {managed: {}}}").issue().due()).containsExactly("c-peer-tls");
    }

    @Test
    void aClusterThatBeginsRequiresTlsAtOnce() {
        var target = Certified.ready(Certified.BOTH).view().target();
        assertThat(Objects.requireNonNull(target.peer()).stage()).isEqualTo(PeerStage.REQUIRED);
        assertThat(target.peer().commonName()).isEqualTo("c-peer");
        assertThat(Objects.requireNonNull(target.client()).files().name()).isEqualTo("c-server-tls");
    }

    @Test
    void aLeafThatWasDeletedIsMadeAgain() {
        assertThat(Certified.ready(Certified.BOTH).without("c-peer-tls").due()).containsExactly("c-peer-tls");
    }

    @Test
    void whileASecretIsGoneMembersKeepWhatTheyHave() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked();
        var target = cluster.view().target();
        assertThat(cluster.without("c-peer-tls").without("c-server-tls").view().target())
                .isEqualTo(target);
    }

    @Test
    void whatMembersWereNeverSetUpWithIsMadeAgain() {
        Secret other = Certified.ready(Certified.BOTH).secret("c-peer-tls");
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked().with(other);
        assertThat(cluster.due()).containsExactly("c-peer-tls");
    }

    @Test
    void whatCannotBeReadIsMadeAgain() {
        var cluster = Certified.ready(Certified.BOTH);
        assertThat(cluster.damage("c-server-tls", TlsSecrets.CERTIFICATE, "////")
                        .due())
                .containsExactly("c-server-tls");
        assertThat(cluster.issueAll()
                        .damage("c-peer-tls", TlsSecrets.TRUSTED, "")
                        .due())
                .containsExactly("c-peer-tls");
        assertThat(cluster.issueAll().due()).isEmpty();
    }

    @Test
    void anAuthorityThatCannotBeReadIsLeftToPeople() {
        var view = Certified.ready(Certified.BOTH)
                .damage("c-ca", TlsSecrets.CERTIFICATE, "////")
                .view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem().map(Problem::kind)).contains(Problem.Kind.CertificatesInvalid);
        assertThat(view.problem().map(Problem::message).orElse("")).contains("Secret c-ca", "delete it");
    }

    @Test
    void anotherNameIsAnotherServerCertificate() {
        var cluster = Certified.ready(Certified.BOTH)
                .asks("{client: {managed: {}}, peer: {managed: {}}, extraSANs: [etcd.example.com, 192.0.2.7]}");
        assertThat(cluster.due()).containsExactly("c-server-tls");
        CertificateView server = Certified.certificate(cluster.issue().secret("c-server-tls"));
        assertThat(server.isFor("etcd.example.com") && server.isFor("192.0.2.7"))
                .isTrue();
        assertThat(cluster.due()).isEmpty();
    }

    @Test
    void aNodeThatComesOrGoesIsAnotherServerCertificateWhereClientsComeByNodes() {
        var cluster = Certified.ready(Certified.BOTH).withNodes("10.0.0.7", "node-1");
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.withNodePort().due()).containsExactly("c-server-tls");
        CertificateView server = Certified.certificate(cluster.issue().secret("c-server-tls"));
        assertThat(server.isFor("10.0.0.7") && server.isFor("node-1")).isTrue();
        assertThat(cluster.withNodes("node-1", "10.0.0.7").due()).isEmpty();
        assertThat(cluster.withNodes("10.0.0.7", "node-1", "10.0.0.8").due()).containsExactly("c-server-tls");
        assertThat(cluster.issueAll().withNodes("10.0.0.7", "node-1").due()).containsExactly("c-server-tls");
    }

    @Test
    void certificatesAreRenewedWithAThirdOfTheirTimeLeft() {
        var cluster = Certified.ready(Certified.BOTH).later(Duration.ofDays(59));
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().nextAt())
                .hasValueSatisfying(at -> assertThat(at)
                        .isBetween(Certified.NOW.plus(Duration.ofDays(59)), Certified.NOW.plus(Duration.ofDays(60))));
        assertThat(cluster.later(Duration.ofDays(1)).due()).containsExactlyElementsOf(Certified.LEAVES);
        assertThat(cluster.issue().due()).isEmpty();
    }

    /** The operator before this one had a clock that was ahead. */
    @Test
    void whatIsNotValidYetIsMadeAgain() {
        var cluster = Certified.ready(Certified.BOTH).later(Duration.ofDays(30));
        cluster.without("c-peer-tls").issueAll().later(Duration.ofDays(-30));
        assertThat(cluster.due()).containsExactly("c-peer-tls");
        assertThat(cluster.issue().due()).isEmpty();
    }

    /** It can sign nothing that others take: a leaf would be renewed for ever. */
    @Test
    void anAuthorityThatIsNotValidYetIsFollowedAtOnceOrLeftToPeople() {
        var ahead = Certified.ready(Certified.BOTH).later(Duration.ofDays(-30));
        assertThat(ahead.due()).containsExactly("c-ca BEGIN");
        assertThat(ahead.issueAll().view().problem()).isEmpty();
        var running = Certified.ready(Certified.BOTH).runsAsAsked().later(Duration.ofDays(-30));
        assertThat(running.due()).isEmpty();
        assertThat(running.view().problem().map(Problem::message).orElse(""))
                .contains("is valid only from", "delete all pods");
    }

    @Test
    void clocksMayDifferByLessThanCertificatesAreBackdated() {
        var ahead = Certified.ready(Certified.BOTH).runsAsAsked().later(Duration.ofMinutes(-59));
        assertThat(ahead.due()).isEmpty();
        assertThat(ahead.view().problem()).isEmpty();
    }

    /** One of them is wrong, and with wrong dates no member would reach another. */
    @Test
    void whileItIsNotCertainWhatTimeItIsNoneIsMade() {
        for (Duration apart : List.of(Duration.ofDays(300), Duration.ofDays(-300), Duration.ofMinutes(6))) {
            var cluster = new Certified(Certified.BOTH).withServer(apart);
            assertThat(cluster.due()).isEmpty();
            assertThat(cluster.view().problem().map(Problem::kind)).contains(Problem.Kind.ClocksDisagree);
            var renewed = Certified.ready(Certified.BOTH).runsAsAsked().later(Duration.ofDays(61));
            assertThat(renewed.withServer(apart).due()).isEmpty();
            assertThat(renewed.view().problem().map(Problem::message).orElse(""))
                    .contains(apart.isNegative() ? "ahead of" : "behind");
        }
        var fresh = Certified.ready(Certified.BOTH).runsAsAsked().withServer(Duration.ofDays(300));
        assertThat(fresh.view().problem()).as("nothing is to be made").isEmpty();
        assertThat(new Certified(Certified.BOTH)
                        .withServer(Duration.ofMinutes(4))
                        .due())
                .containsExactly("c-ca BEGIN");
    }

    /** Counted from the beginning, an hour of backdating would be all of its life. */
    @Test
    void whatLivesForAnHourIsNotRenewedForEver() {
        var cluster = Certified.ready("{client: {managed: {}}, peer: {managed: {}}, managed: {leafLifetime: 1h}}");
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.later(Duration.ofMinutes(39)).due()).isEmpty();
        assertThat(cluster.later(Duration.ofMinutes(1)).due()).containsExactlyElementsOf(Certified.LEAVES);
        assertThat(cluster.issueAll().due()).isEmpty();
    }

    @Test
    void whereAShorterLifeIsAskedForTheOneThereIsCountsNoLonger() {
        String shorter = "{client: {managed: {}}, peer: {managed: {}}, managed: {leafLifetime: 3h}}";
        var cluster = Certified.ready(Certified.BOTH).asks(shorter);
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.later(Duration.ofHours(2)).due()).containsExactlyElementsOf(Certified.LEAVES);
        assertThat(cluster.issue().later(Duration.ofHours(1)).due()).isEmpty();
    }

    @Test
    void whereOnlyTrustChangesCertificateAndKeyStay() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked();
        Secret before = cluster.secret("c-peer-tls");
        assertThat(cluster.wishes("now").due()).containsExactly("c-ca INTRODUCE");
        Secret after = cluster.issue().issue().secret("c-peer-tls");
        assertThat(Certified.text(after, TlsSecrets.CERTIFICATE))
                .isEqualTo(Certified.text(before, TlsSecrets.CERTIFICATE));
        assertThat(Certified.text(after, TlsSecrets.KEY)).isEqualTo(Certified.text(before, TlsSecrets.KEY));
        assertThat(Certified.text(after, TlsSecrets.TRUSTED)).isNotEqualTo(Certified.text(before, TlsSecrets.TRUSTED));
    }

    @Test
    void anAuthorityIsFollowedTurnByTurn() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked().wishes("now");
        CertificateView first = Certified.certificate(cluster.secret("c-ca"));
        cluster.issueAll().later(Duration.ofMinutes(5));
        assertThat(cluster.due()).as("not before every pod was started with it").isEmpty();
        assertThat(cluster.runsAsAsked().due()).containsExactly("c-ca SUCCEED");
        cluster.issueAll();
        CertificateView second = Certified.certificate(cluster.secret("c-ca"));
        assertThat(Certified.LEAVES)
                .allSatisfy(leaf -> assertThat(
                                Certified.certificate(cluster.secret(leaf)).namesAsIssuer(second))
                        .isTrue());
        assertThat(cluster.runsAsAsked().later(Duration.ofMinutes(5)).view().look())
                .isTrue();
        cluster.withChores(sight(cluster, first));
        assertThat(cluster.view().look()).as("not at once").isFalse();
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.later(Duration.ofSeconds(5)).view().look()).isTrue();
        cluster.withChores(sight(cluster, second));
        assertThat(cluster.due()).containsExactly("c-ca RETIRE");
        assertThat(cluster.issueAll().runsAsAsked().due()).isEmpty();
        assertThat(AuthorityView.of(cluster.secret("c-ca")).trusted().certificates())
                .containsExactly(second);
    }

    private static Chores sight(Certified cluster, CertificateView shown) {
        return CertifiedMembers.sight(cluster.now(), new Chores.Issuers(shown.keyId(), shown.keyId()));
    }

    @Test
    void anAuthorityThatEndedSignsNothing() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked().later(Duration.ofDays(3651));
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().problem().map(Problem::message).orElse("")).contains("ended on", "delete all pods");
        assertThat(cluster.without("c-ca").due()).isEmpty();
        assertThat(cluster.view().problem().map(Problem::message).orElse("")).contains("have ended", "delete all pods");
    }

    @Test
    void whereNobodyRunsOneThatEndedIsFollowedAtOnce() {
        var cluster = Certified.ready(Certified.BOTH).later(Duration.ofDays(3651));
        assertThat(cluster.due()).containsExactly("c-ca BEGIN");
        assertThat(cluster.issueAll().view().problem()).isEmpty();
    }

    @Test
    void theMembersThatAreTherePassOverBeingPrepared() {
        var cluster = Certified.ready(Certified.BOTH).runs(TlsView.PLAIN.target());
        assertThat(stage(cluster)).isEqualTo(PeerStage.PREPARED);
        assertThat(stage(cluster.runsAsAsked())).isEqualTo(PeerStage.REQUIRED);
        cluster.runsAsAsked().asks("");
        assertThat(stage(cluster)).isEqualTo(PeerStage.PREPARED);
        assertThat(cluster.runsAsAsked().view().target().absent()).isTrue();
    }

    @Test
    void onTheWayBackWhatMembersStillMountIsMadeAgain() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked().asks("").without("c-peer-tls");
        assertThat(cluster.due()).containsExactly("c-peer-tls");
        assertThat(cluster.issueAll().runsAsAsked().without("c-peer-tls").due())
                .as("prepared pods mount it, too")
                .containsExactly("c-peer-tls");
        assertThat(cluster.runs(TlsView.PLAIN.target()).due()).isEmpty();
    }

    private static PeerStage stage(Certified cluster) {
        return Objects.requireNonNull(cluster.view().target().peer()).stage();
    }
}
