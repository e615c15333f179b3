package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.tls.AuthorityView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.Transport;
import etcdoperator.domain.Transport.Between;
import etcdoperator.domain.Transport.Client;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.manifest.TlsSecrets;
import etcdoperator.tls.Authority;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.PemPair;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Anybody with access can write anything into a Secret. No pass may end by it. */
class SpoiledSecretsTest {
    private static final List<String> LEAVES = List.of("c-client-tls", "c-operator-tls", "c-server-tls", "c-peer-tls");
    private static final PemPair STRANGER =
            Authority.create("stranger", Duration.ofDays(1), Certified.NOW).pem();

    /** More turns than any repair takes. */
    private static final int MANY = 20;

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String block(String label) {
        return base64("-----BEGIN %1$s-----\nAAAA\n-----END %1$s-----\n".formatted(label));
    }

    private static String certificate(Secret secret) {
        return TlsSecrets.text(secret, TlsSecrets.CERTIFICATE).orElseThrow();
    }

    static List<String> nonsense() {
        String leaf = certificate(RUNS.secret("c-client-tls"));
        return List.of(
                "",
                "%%%",
                base64("no PEM at all"),
                base64(STRANGER.key()),
                base64(STRANGER.certificates()),
                base64(leaf),
                block("CERTIFICATE"),
                block("RSA PRIVATE KEY"),
                block("CERTIFICATE REQUEST"));
    }

    private static final Certified RUNS = Certified.ready(Certified.BOTH).runsAsAsked();
    private static final Certified INTRODUCED = RUNS.copy().wishes("now").issueAll();
    private static final Certified SUCCEEDED =
            INTRODUCED.copy().runsAsAsked().later(Duration.ofMinutes(5)).issue();

    private static Stream<Certified> clusters() {
        return Stream.of(RUNS, INTRODUCED, SUCCEEDED).map(Certified::copy);
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void whateverIsInTheAuthoritysSecretNoPassEndsByIt(String base64) {
        settle(RUNS.copy().damage("c-ca", TlsSecrets.CERTIFICATE, base64), "tls.crt");
        settle(SUCCEEDED.copy().damage("c-ca", TlsSecrets.KEY, base64), "tls.key");
        settle(RUNS.copy().damage("c-ca", TlsSecrets.NEXT_CERTIFICATE, base64), "next.crt");
        settle(INTRODUCED.copy().damage("c-ca", TlsSecrets.NEXT_KEY, base64), "next.key");
        settle(SUCCEEDED.copy().damage("c-ca", TlsSecrets.PREVIOUS_CERTIFICATE, base64), "previous.crt");
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void whateverIsInALeafsSecretNoPassEndsByIt(String base64) {
        for (String key : List.of("tls.crt", "tls.key", "ca.crt")) {
            settle(RUNS.copy().damage("c-operator-tls", key, base64).without("c-ca"), key + " without authority");
        }
    }

    @Test
    void whoIsOnItsWayOutTrustsNobodyAnyMore() {
        var cluster = Certified.ready(Certified.BOTH).runsAsAsked();
        List.of("c-ca", "c-server-tls", "c-peer-tls", "c-client-tls", "c-operator-tls")
                .forEach(cluster::without);
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.leaves().due()).containsExactly("c-ca BEGIN");
    }

    @Test
    void aSecretWithoutAnythingEndsNoPass() {
        for (String secret : Stream.concat(Stream.of("c-ca"), LEAVES.stream()).toList()) {
            clusters().forEach(cluster -> {
                cluster.secret(secret).setData(null);
                cluster.secret(secret).getMetadata().setAnnotations(null);
                settle(cluster, secret);
            });
        }
    }

    private static void settle(Certified cluster, String what) {
        connect(cluster);
        for (int turn = 0; turn < MANY && !cluster.view().due().isEmpty(); turn++) {
            cluster.issue();
        }
        assertThat(cluster.due()).as(what).isEmpty();
        cluster.later(Duration.ofMinutes(5)).issue().issue();
    }

    private static void connect(Certified cluster) {
        PeerView peer = CertifiedMembers.peer("c-0", TlsSetup.NONE, "");
        PodView pod = CertifiedMembers.pod(peer, new Transport(Client.REQUIRED, Between.PLAIN));
        for (Endpoint endpoint :
                new Contacts(cluster.objects()).of(List.of(peer), List.of(pod)).values()) {
            new GrpcEtcdClient(endpoint).close();
        }
    }

    @Test
    void aKeyThatCannotBeUsedIsALostKey() {
        var cluster = RUNS.copy().damage("c-ca", TlsSecrets.KEY, base64(STRANGER.key()));
        assertThat(nonsense())
                .allSatisfy(base64 -> assertThat(AuthorityView.of(RUNS.copy()
                                        .damage("c-ca", TlsSecrets.KEY, base64)
                                        .secret("c-ca"))
                                .keyed())
                        .isFalse());
        assertThat(cluster.due()).containsExactly("c-ca INTRODUCE");
        assertThat(cluster.issueAll().runsAsAsked().later(Duration.ofMinutes(5)).due())
                .containsExactly("c-ca SUCCEED");
        assertThat(cluster.issue().due()).containsExactlyInAnyOrderElementsOf(LEAVES);
    }

    @Test
    void whatItWouldHaveToSignIsTold() {
        var cluster = Certified.ready(Certified.BOTH)
                .runsAsAsked()
                .damage("c-ca", TlsSecrets.KEY, "////")
                .without("c-peer-tls");
        assertThat(cluster.due()).isEmpty();
        assertThat(cluster.view().problem().map(Problem::message).orElse(""))
                .contains("The key of the authority that members trust is gone", "c-peer-tls");
    }

    @Test
    void anAuthorityThatIsNoneIsLeftToPeople() {
        var cluster = RUNS.copy();
        String leaf = cluster.secret("c-peer-tls").getData().get(TlsSecrets.CERTIFICATE);
        var view = cluster.damage("c-ca", TlsSecrets.CERTIFICATE, leaf).view();
        assertThat(view.due()).isEmpty();
        assertThat(view.problem().map(Problem::message).orElse("")).contains("not an authority's", "delete it");
    }

    @Test
    void aNextOneWithoutItsKeyNeverSigns() {
        var cluster = INTRODUCED.copy();
        Map<String, String> data = new HashMap<>(cluster.secret("c-ca").getData());
        String mute = data.get(TlsSecrets.NEXT_CERTIFICATE);
        data.remove(TlsSecrets.NEXT_KEY);
        cluster.secret("c-ca").setData(data);
        assertThat(cluster.runsAsAsked().later(Duration.ofMinutes(5)).due()).containsExactly("c-ca INTRODUCE");
        cluster.issueAll().runsAsAsked();
        assertThat(cluster.secret("c-ca").getData().get(TlsSecrets.NEXT_CERTIFICATE))
                .isNotEqualTo(mute);
        assertThat(cluster.later(Duration.ofMinutes(5)).due()).containsExactly("c-ca SUCCEED");
    }

    /** The key is lost before its first signature: what the one before has signed is in use, and must be trusted. */
    @Test
    void onTheWayFromOneToTheNextBothStayTrusted() {
        var cluster = SUCCEEDED.copy();
        CertificateView first =
                CertificateView.of(TlsSecrets.text(cluster.secret("c-ca"), TlsSecrets.PREVIOUS_CERTIFICATE)
                        .orElseThrow());
        CertificateView second = CertificateView.of(certificate(cluster.secret("c-ca")));
        cluster.damage("c-ca", TlsSecrets.KEY, "");
        assertThat(cluster.runsAsAsked().due()).containsExactly("c-ca INTRODUCE");
        assertThat(AuthorityView.of(cluster.issue().secret("c-ca")).trusted().certificates())
                .hasSize(3)
                .contains(first, second);
        cluster.issueAll().runsAsAsked().later(Duration.ofMinutes(5)).issueAll();
        CertificateView third = CertificateView.of(certificate(cluster.secret("c-ca")));
        assertThat(LEAVES)
                .allSatisfy(leaf -> assertThat(CertificateView.of(certificate(cluster.secret(leaf)))
                                .namesAsIssuer(third))
                        .isTrue());
    }

    @Test
    void anotherAuthorityIsIntroducedBesideTheOperatorsOwnAndNotBesideWhatUsersBring() {
        var cluster = Certified.ready("{client: {managed: {}}}").runsAsAsked();
        CertificateView first = CertificateView.of(certificate(cluster.secret("c-ca")));
        Secret brought = TlsSecrets.ofLeaf(
                cluster.cluster(), "a-secret", STRANGER.certificates(), STRANGER.key(), STRANGER.certificates());
        cluster.with(brought).without("c-ca").issue();
        assertThat(AuthorityView.of(cluster.secret("c-ca")).signs()).isEqualTo(first);
    }

    @Test
    void aLeafWithoutItsKeyIsMadeAgain() {
        var cluster = Certified.ready(Certified.BOTH);
        assertThat(cluster.damage("c-operator-tls", TlsSecrets.KEY, base64(STRANGER.key()))
                        .due())
                .containsExactly("c-operator-tls");
        assertThat(cluster.issue().due()).isEmpty();
    }
}
