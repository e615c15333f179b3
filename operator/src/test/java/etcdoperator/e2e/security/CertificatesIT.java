package etcdoperator.e2e.security;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.TlsSpec;
import etcdoperator.api.TlsSpec.CertManagerCertificates;
import etcdoperator.api.TlsSpec.ClientTls;
import etcdoperator.api.TlsSpec.IssuerRef;
import etcdoperator.api.TlsSpec.PeerTls;
import etcdoperator.api.TlsSpec.SecretCertificates;
import etcdoperator.e2e.fixture.Door;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.tls.Authority;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.TrustBundle;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Certificates that others make: users, and cert-manager. */
@Execution(ExecutionMode.CONCURRENT)
class CertificatesIT {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Set<Usage> BOTH = Set.of(Usage.SERVER, Usage.CLIENT);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @BeforeAll
    static void startCertManager() {
        Testbed.testbed("start-cert-manager");
    }

    @AfterAll
    static void stopCertManager() {
        Testbed.testbed("stop-cert-manager");
    }

    @Test
    void asCoreOsHadThem() {
        Authority authority = Authority.create("somebody's own", DAY, Instant.now());
        bring("mine-server", "server", authority, DAY);
        bring("mine-peer", "peer", authority, DAY);
        bring("mine-client", "etcd-client", authority, DAY);
        TestCluster cluster =
                namespace.cluster("mine", brought("mine")).create().awaitHealthy();
        Secret client = namedAsKubernetesDoes(secret("mine-client"), "etcd-client");
        try (var etcd = new Etcd(Door.secure(cluster.pod("mine-0"), client))) {
            assertThat(etcd.put("k", "v", Duration.ofSeconds(5))).isPositive();
        }
        assertThat(cluster.is("CertificatesValid")).isTrue();
    }

    /** Everything at once: Secrets of members, and of the operator, are all of another authority from one moment on. */
    @Test
    void anAuthorityIsReplacedAsAWholeUnderWrites() {
        Authority first = Authority.create("the first", DAY, Instant.now());
        Authority second = Authority.create("the second", DAY, Instant.now());
        bringAll("swap", first);
        bringToClients("swap", first, List.of(first, second));
        TestCluster cluster =
                namespace.cluster("swap", brought("swap")).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            bringAll("swap", second);
            eventually().until(() -> mountedCertificate("swap-server").equals(broughtCertificate("swap-server")));
            bringToClients("swap", second, List.of(first, second));
            eventually()
                    .until(() -> mountedTrust("swap-server").equals(mountedTrust("swap-peer"))
                            && TrustBundle.of(mountedTrust("swap-peer"))
                                    .equals(TrustBundle.of(second.pem().certificates())));
            cluster.awaitHealthy();
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(Identity.of(cluster)).isEqualTo(before);
    }

    private void bringAll(String cluster, Authority authority) {
        bring(cluster + "-server", "server", authority, DAY);
        bring(cluster + "-peer", "peer", authority, DAY);
        bring(cluster + "-client", "etcd-client", authority, DAY);
    }

    /** Where the writers of a test look for what they show. */
    private void bringToClients(String cluster, Authority signs, List<Authority> trusted) {
        PemPair pair =
                signs.issue(new LeafRequest("app", Set.of(), Set.of(), Set.of(Usage.CLIENT), DAY), Instant.now());
        KUBE.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName(cluster + "-client-tls")
                        .endMetadata()
                        .withStringData(Map.of(
                                "tls.crt",
                                pair.certificates(),
                                "tls.key",
                                pair.key(),
                                "ca.crt",
                                trusted.stream()
                                        .map(authority -> authority.pem().certificates())
                                        .collect(Collectors.joining("\n"))))
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private String mountedCertificate(String name) {
        return secret(name + "-mounted").getData().get("tls.crt");
    }

    private String broughtCertificate(String name) {
        return secret(name).getData().get(name.split("-")[1] + ".crt");
    }

    private String mountedTrust(String name) {
        return new String(
                Base64.getDecoder().decode(secret(name + "-mounted").getData().get("ca.crt")), StandardCharsets.UTF_8);
    }

    /** It waits for a good certificate, and says for which. */
    @Test
    void oneThatHasEndedIsToldOfAndStopsNothingThatRuns() {
        Authority authority = Authority.create("somebody's own", DAY, Instant.now());
        bring("late-peer", "peer", authority, DAY);
        bring("late-client", "etcd-client", authority, DAY);
        TestCluster cluster = namespace.cluster("late", brought("late")).create();
        eventually()
                .until(() -> cluster.condition("CertificatesValid").getMessage().contains("late-server"));
        assertThat(cluster.condition("CertificatesValid").getMessage())
                .contains("Secret late-server, which spec.tls.client names, does not exist");
        bring("late-server", "server", authority, Duration.ofMinutes(1));
        cluster.awaitHealthy();
        eventually().atMost(Duration.ofMinutes(2)).until(() -> !cluster.is("CertificatesValid"));
        assertThat(cluster.condition("CertificatesValid").getMessage())
                .contains("Secret late-server")
                .contains("ended on ");
        Set<String> members = Set.copyOf(
                cluster.status().members().stream().map(member -> member.id()).toList());
        bring("late-server", "server", authority, DAY);
        eventually().until(() -> cluster.is("CertificatesValid"));
        cluster.awaitHealthy();
        assertThat(cluster.status().members())
                .extracting(member -> member.id())
                .containsExactlyInAnyOrderElementsOf(members);
    }

    @Test
    void byCertManagerAndThenByTheOperator() {
        KUBE.load(new ByteArrayInputStream(ISSUERS.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace.name())
                .create();
        var issuer = new CertManagerCertificates(new IssuerRef("mine", null, null));
        TestCluster cluster = namespace
                .cluster(
                        "asked",
                        TestCluster.members(3)
                                .withTls(new TlsSpec(
                                        new ClientTls(null, null, issuer, null),
                                        new PeerTls(null, null, issuer),
                                        List.of("etcd.example.com"),
                                        null)))
                .create()
                .awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(secret("asked-server-tls").getMetadata().getAnnotations().get("cert-manager.io/alt-names"))
                .contains("etcd.example.com", "asked-client." + namespace.name() + ".svc");
        cluster.change(Collections.singletonMap("tls", null));
        cluster.awaitHealthy();
        cluster.change(Map.of("tls", Map.of("client", Map.of("managed", Map.of()))));
        cluster.awaitHealthy();
        assertThat(secret("asked-server-tls").getMetadata().getOwnerReferences())
                .isNotEmpty();
    }

    private static final String ISSUERS = """
            apiVersion: cert-manager.io/v1
            kind: Issuer
            metadata: {name: root}
            spec: {selfSigned: {}}
            ---
            apiVersion: cert-manager.io/v1
            kind: Certificate
            metadata: {name: root}
            spec: {isCA: true, commonName: root, secretName: root, issuerRef: {name: root}}
            ---
            apiVersion: cert-manager.io/v1
            kind: Issuer
            metadata: {name: mine}
            spec: {ca: {secretName: root}}
            """;

    private static EtcdClusterSpec brought(String name) {
        return TestCluster.members(3)
                .withTls(new TlsSpec(
                        new ClientTls(null, new SecretCertificates(name + "-server", name + "-client"), null, null),
                        new PeerTls(null, new SecretCertificates(name + "-peer", null), null),
                        List.of(),
                        null));
    }

    /** Under the keys that CoreOS's operator knew. */
    private void bring(String name, String part, Authority authority, Duration lifetime) {
        String cluster = name.split("-")[0];
        String service = cluster + "." + namespace.name() + ".svc";
        PemPair pair = authority.issue(
                new LeafRequest(
                        "root",
                        Set.of(
                                "*." + service,
                                "*." + service + ".cluster.local",
                                cluster + "-client." + namespace.name() + ".svc"),
                        Set.of("127.0.0.1"),
                        BOTH,
                        lifetime),
                Instant.now());
        KUBE.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace.name())
                        .withName(name)
                        .endMetadata()
                        .withStringData(Map.of(
                                part + ".crt",
                                pair.certificates(),
                                part + ".key",
                                pair.key(),
                                part + "-ca.crt",
                                authority.pem().certificates()))
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private static Secret namedAsKubernetesDoes(Secret secret, String part) {
        return new SecretBuilder(secret)
                .withData(Map.of(
                        "tls.crt",
                        secret.getData().get(part + ".crt"),
                        "tls.key",
                        secret.getData().get(part + ".key"),
                        "ca.crt",
                        secret.getData().get(part + "-ca.crt")))
                .build();
    }

    private Secret secret(String name) {
        return KUBE.secrets().inNamespace(namespace.name()).withName(name).require();
    }
}
