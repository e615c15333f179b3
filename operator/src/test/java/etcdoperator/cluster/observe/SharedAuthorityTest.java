package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.TlsSetup;
import etcdoperator.certmanager.Certificate;
import etcdoperator.cluster.tls.CertificateOrders;
import etcdoperator.cluster.view.Issuance;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.TlsView;
import etcdoperator.domain.AuthorityPolicy;
import etcdoperator.domain.AuthorityPolicy.Sharing;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.TrustBundle;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Clusters that trust one certificate authority: etcd takes the common name of a client for its user. */
class SharedAuthorityTest {
    private static final String PUBLIC = byIssuer("{name: shared, kind: ClusterIssuer}");
    private static final String OWN = byIssuer("{name: mine}");
    private static final String BROUGHT = "{client: {secret: {name: mine}}}";
    private static final AuthorityPolicy ALLOWED = new AuthorityPolicy(Sharing.ALLOWED, List.of());

    @Test
    void aNewClusterDoesNotStartWithTheIssuerOfAnother() {
        var view = new Certified(PUBLIC).beside(running("ns2", "other", PUBLIC)).view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem().map(Problem::kind)).contains(Problem.Kind.AuthorityShared);
        assertThat(view.problem().map(Problem::message).orElse(""))
                .contains("an EtcdCluster in another namespace", "spec.tls.client.managed", "tls.sharedAuthorities")
                .doesNotContain("ns2", "other,");
    }

    @Test
    void unlessTheInstallationAllowsIt() {
        var view = new Certified(PUBLIC)
                .beside(running("ns2", "other", PUBLIC))
                .under(ALLOWED)
                .view();
        assertThat(view.due()).hasSize(4);
        assertThat(view.problem().map(Problem::kind)).doesNotContain(Problem.Kind.AuthorityShared);
    }

    @Test
    void theFirstClusterOfAnIssuerStarts() {
        assertThat(new Certified(PUBLIC).due()).hasSize(4);
    }

    @Test
    void anIssuerIsOneOfItsNamespace() {
        assertThat(new Certified(OWN).beside(running("ns2", "other", OWN)).due())
                .hasSize(4);
        var view = new Certified(OWN).beside(running("ns", "other", OWN)).view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem().map(Problem::message).orElse("")).contains("EtcdCluster other");
    }

    @Test
    void ofTwoNewClustersTheOlderOneStarts() {
        EtcdCluster other = cluster("ns2", "other", PUBLIC);
        var mine = new Certified(PUBLIC).beside(other);
        mine.cluster().getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
        other.getMetadata().setCreationTimestamp("2026-01-01T00:00:01Z");
        assertThat(mine.due()).hasSize(4);
        other.getMetadata().setCreationTimestamp("2025-12-31T00:00:00Z");
        assertThat(mine.due()).isEmpty();
        other.getMetadata().setCreationTimestamp("2026-01-01T00:00:00Z");
        assertThat(mine.due()).as("by name").hasSize(4);
    }

    /** The operator knows the key from the other cluster's status, and reads none of its Secrets. */
    @Test
    void aNewClusterDoesNotStartWithAnAuthorityThatAnotherTrusts() {
        Secret mine = brought();
        var view = new Certified(BROUGHT)
                .with(mine)
                .beside(trusting("ns2", "other", keysOf(mine)))
                .view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem().map(Problem::kind)).contains(Problem.Kind.AuthorityShared);
        assertThat(view.trusted()).isEmpty();
    }

    @Test
    void anotherAuthorityIsNoHindrance() {
        var cluster = new Certified(BROUGHT).with(brought()).beside(trusting("ns2", "other", keysOf(brought())));
        assertThat(cluster.due()).containsExactly("c-server-mounted from mine ALL");
        assertThat(cluster.issue().view().trusted()).isEqualTo(keysOf(cluster.secret("mine")));
    }

    @Test
    void anAuthorityOfTheOperatorIsOfOneCluster() {
        var cluster = Certified.ready(Certified.BOTH).beside(running("ns2", "other", Certified.BOTH));
        assertThat(cluster.view().problem()).isEmpty();
        assertThat(cluster.view().trusted()).isEqualTo(keysOf(cluster.secret("c-server-tls")));
    }

    /** It was made by an earlier operator: all goes on, and it is said. */
    @Test
    void aClusterThatRunsGoesOn() {
        var alone = runningByIssuer(PUBLIC);
        TlsView before = alone.view();
        TlsView beside = alone.beside(running("ns2", "other", PUBLIC)).view();
        assertThat(beside.remark().map(TlsView.Remark::reason)).contains("AuthorityShared");
        assertThat(beside.problem()).isEqualTo(before.problem()).isEmpty();
        assertThat(beside.target()).isEqualTo(before.target());
        assertThat(beside.due()).isEqualTo(before.due()).isEmpty();
        assertThat(alone.under(ALLOWED).view().remark()).isEmpty();
    }

    @Test
    void nothingIsSaidOfAClusterWithAnAuthorityOfItsOwn() {
        assertThat(runningByIssuer(PUBLIC).view().remark()).isEmpty();
    }

    @Test
    void itsCertificatesAreRenewedAsBefore() {
        var cluster = runningByIssuer(PUBLIC).beside(running("ns2", "other", PUBLIC));
        cluster.asks(with(PUBLIC, "managed: {leafLifetime: 1h}"));
        assertThat(cluster.due()).hasSize(4);
    }

    @Test
    void aClusterThatRunsKeepsItsIssuer() {
        var cluster = runningByIssuer(OWN).beside(running("ns2", "other", PUBLIC));
        cluster.asks(PUBLIC);
        TlsView view = cluster.view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem()).isEmpty();
        assertThat(view.remark().map(TlsView.Remark::reason)).contains("ChangeRefused");
        assertThat(cluster.under(ALLOWED).due()).hasSize(4);
    }

    @Test
    void aClusterInPlaintextDoesNotBeginWithAnAuthorityThatAnotherTrusts() {
        var cluster = new Certified("").runs(TlsSetup.NONE).begun().beside(running("ns2", "other", PUBLIC));
        cluster.asks(PUBLIC);
        TlsView view = cluster.view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem()).isEmpty();
        assertThat(view.target()).isEqualTo(TlsSetup.NONE);
        assertThat(view.remark().map(TlsView.Remark::reason)).contains("ChangeRefused");
    }

    @Test
    void membersThatRunDoNotBeginToTrustTheAuthorityOfAnother() {
        var cluster = new Certified(BROUGHT).with(brought()).issueAll().runsAsAsked().begun();
        Secret next = brought();
        cluster.with(next);
        assertThat(cluster.due()).containsExactly("c-server-mounted from mine TRUST");
        cluster.beside(trusting("ns2", "other", keysOf(next)));
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().problem()).isEmpty();
        assertThat(cluster.view().remark().map(TlsView.Remark::message).orElse(""))
                .contains("Secret mine");
    }

    /** The issuer is its own; what the issuer signs with is not. */
    @Test
    void norDoTheyWhereCertManagerHasMadeIt() {
        var cluster = runningByIssuer(OWN);
        Secret next = Serialization.clone(Certified.ready(Certified.BOTH).secret("c-server-tls"));
        next.getMetadata().setAnnotations(Map.of("cert-manager.io/certificate-name", "c-server-tls"));
        cluster.with(next);
        assertThat(cluster.due()).containsExactly("c-server-mounted from c-server-tls TRUST");
        cluster.beside(trusting("ns2", "other", keysOf(next)));
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().remark().map(TlsView.Remark::reason)).contains("ChangeRefused");
    }

    /** Both have run with the authority of before. */
    @Test
    void thoseWhoShareItAlreadyMayFollowEachOther() {
        var cluster = new Certified(BROUGHT).with(brought()).issueAll().runsAsAsked().begun();
        List<String> before = keysOf(cluster.secret("mine"));
        Secret next = brought();
        cluster.with(next);
        cluster.beside(trusting(
                "ns2",
                "other",
                List.of(before.getFirst(), keysOf(next).getFirst())));
        assertThat(cluster.due()).containsExactly("c-server-mounted from mine TRUST");
    }

    @Test
    void withAnIssuerForAllNewNamesAreThoseThatTheInstallationAllows() {
        String asks = with(PUBLIC, "extraSANs: [etcd.example.com, 192.0.2.7]");
        var refused = new Certified(asks).view();
        assertThat(refused.due()).isEmpty();
        assertThat(refused.problem().map(Problem::kind)).contains(Problem.Kind.SettingsRefused);
        assertThat(refused.problem().map(Problem::message).orElse("")).contains("etcd.example.com, 192.0.2.7");
        var half = new Certified(asks)
                .under(new AuthorityPolicy(Sharing.REFUSED, List.of("*.example.com")))
                .view();
        assertThat(half.problem().map(Problem::message).orElse(""))
                .contains("has 192.0.2.7,")
                .doesNotContain("etcd.example.com");
        assertThat(new Certified(asks)
                        .under(new AuthorityPolicy(Sharing.REFUSED, List.of("*")))
                        .due())
                .hasSize(4);
    }

    @Test
    void withAnIssuerOfItsOwnAClusterMayHaveAnyName() {
        String asks = with(OWN, "extraSANs: [etcd.example.com]");
        assertThat(new Certified(asks).due()).hasSize(4);
        assertThat(new Certified(asks)
                        .beside(running("ns", "other", OWN))
                        .under(ALLOWED)
                        .view()
                        .problem()
                        .map(Problem::kind))
                .as("it is shared")
                .contains(Problem.Kind.SettingsRefused);
    }

    @Test
    void aClusterThatRunsKeepsItsNamesAndGetsNoMore() {
        var cluster = runningByIssuer(
                        with(PUBLIC, "extraSANs: [etcd.example.com]"), new AuthorityPolicy(Sharing.REFUSED, List.of("*")))
                .under(AuthorityPolicy.USUAL);
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().remark()).isEmpty();
        cluster.asks(with(PUBLIC, "extraSANs: [etcd.example.com, c.other.svc]"));
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().problem()).isEmpty();
        assertThat(cluster.view().remark().map(TlsView.Remark::reason)).contains("NamesRefused");
        cluster.asks(PUBLIC);
        assertThat(cluster.due()).containsExactly("c-server-tls by shared");
    }

    private static String byIssuer(String issuer) {
        return "{client: {certManager: {issuerRef: %1$s}}, peer: {certManager: {issuerRef: %1$s}}}"
                .formatted(issuer);
    }

    private static String with(String tls, String more) {
        return tls.substring(0, tls.length() - 1) + ", " + more + "}";
    }

    private static Certified runningByIssuer(String tls) {
        return runningByIssuer(tls, AuthorityPolicy.USUAL);
    }

    /** cert-manager has made all that was ordered. */
    private static Certified runningByIssuer(String tls, AuthorityPolicy policy) {
        var cluster = new Certified(tls).under(policy);
        for (Issuance issuance : cluster.view().due()) {
            if (issuance instanceof Issuance.Order order) {
                Certificate placed = CertificateOrders.certificate(cluster.cluster(), order);
                cluster.with(placed);
                cluster.with(filled(order.secret()));
            }
        }
        return cluster.issueAll().runsAsAsked().begun();
    }

    private static final Certified MADE = Certified.ready(Certified.BOTH);

    private static Secret filled(String name) {
        Secret secret = Serialization.clone(MADE.secret(name));
        secret.getMetadata().setAnnotations(Map.of("cert-manager.io/certificate-name", name));
        return secret;
    }

    private static Secret brought() {
        Secret mine = Certified.ready(Certified.BOTH).secret("c-server-tls");
        mine.getMetadata().setName("mine");
        return mine;
    }

    private static List<String> keysOf(Secret secret) {
        return TrustBundle.of(Certified.text(secret, TlsSecrets.TRUSTED)).keys().stream()
                .sorted()
                .toList();
    }

    private static EtcdCluster running(String namespace, String name, String tls) {
        EtcdCluster cluster = cluster(namespace, name, tls);
        cluster.setStatus(Certified.begun(cluster, List.of()));
        return cluster;
    }

    private static EtcdCluster trusting(String namespace, String name, List<String> keys) {
        EtcdCluster cluster = cluster(namespace, name, BROUGHT);
        cluster.setStatus(Certified.begun(cluster, keys));
        return cluster;
    }

    private static EtcdCluster cluster(String namespace, String name, String tls) {
        EtcdCluster cluster = Certified.cluster(tls);
        cluster.getMetadata().setNamespace(namespace);
        cluster.getMetadata().setName(name);
        cluster.getMetadata().setUid(namespace + name);
        return cluster;
    }
}
