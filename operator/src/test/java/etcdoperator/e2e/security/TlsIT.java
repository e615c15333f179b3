package etcdoperator.e2e.security;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.TlsSpec.ManagedLifetimes;
import etcdoperator.e2e.fixture.Door;
import etcdoperator.e2e.fixture.Etcd;
import etcdoperator.e2e.fixture.Identity;
import etcdoperator.e2e.fixture.ManagedTls;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import etcdoperator.e2e.fixture.Visitor;
import etcdoperator.e2e.fixture.Writers;
import etcdoperator.tls.Authority;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.Usage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Clusters that speak TLS, from the start or from some day on. */
@Execution(ExecutionMode.CONCURRENT)
class TlsIT {
    private static final Map<String, Object> MANAGED = Map.of("managed", Map.of());

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @Test
    void aClusterThatIsMadeWithTlsLetsOnlyItsClientsIn() {
        EtcdClusterSpec managed = TestCluster.members(3).withTls(ManagedTls.USUAL);
        TestCluster cluster = namespace.cluster("locked", managed).create().awaitHealthy();
        TestCluster other = namespace.cluster("other", managed).create().awaitHealthy();
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.scale(5);
            cluster.awaitHealthy();
            cluster.scale(3);
            cluster.awaitHealthy();
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(cluster.status().endpoints())
                .allSatisfy(url -> assertThat(url).startsWith("https://"));
        Pod pod = cluster.pod("locked-0");
        assertRefused(Door.plain(pod.getStatus().getPodIP()));
        assertRefused(Door.anonymous(pod, secret("locked-client-tls")));
        assertRefused(Door.secure(pod, secret("other-client-tls")));
        assertRefused(Door.secure(pod, ended(secret("locked-ca"))));
        assertThat(peerUrls(cluster)).allSatisfy(url -> assertThat(url).startsWith("https://"));
        other.delete();
    }

    @Test
    void fromPlaintextToTlsAndBackUnderWrites() {
        TestCluster cluster =
                namespace.cluster("turn", TestCluster.members(3)).create().awaitHealthy();
        Identity before = Identity.of(cluster);
        try (Writers writers = Writers.start(cluster)) {
            writers.awaitMore(20);
            cluster.change(tls(Map.of("managed", Map.of(), "mode", "Permissive"), MANAGED));
            awaitPeers(cluster, "https://");
            writers.awaitMore(20);
            cluster.change(tls(Map.of("managed", Map.of(), "mode", "Required"), MANAGED));
            awaitClients(cluster, "REQUIRED");
            writers.awaitMore(20);
            cluster.change(tls(Map.of("managed", Map.of(), "mode", "Permissive"), MANAGED));
            awaitClients(cluster, "PERMISSIVE");
            cluster.change(Collections.singletonMap("tls", null));
            awaitPeers(cluster, "http://");
            awaitClients(cluster, null);
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
        }
        assertThat(Identity.of(cluster)).isEqualTo(before);
    }

    @Test
    void certificatesAreRenewedAndTheAuthorityIsFollowedByAnother() {
        TestCluster cluster = namespace
                .cluster(
                        "young",
                        TestCluster.members(3).withTls(ManagedTls.of(List.of(), new ManagedLifetimes("2m", "1h"))))
                .create()
                .awaitHealthy();
        String first = trusted(cluster);
        Set<String> pods = uids(cluster);
        Secret server = secret("young-server-tls");
        try (Writers writers = Writers.start(cluster);
                Visitor visitor = Visitor.start(cluster)) {
            writers.awaitMore(20);
            eventually()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> !secret("young-server-tls")
                            .getData()
                            .get("tls.crt")
                            .equals(server.getData().get("tls.crt")));
            assertThat(uids(cluster)).as("renewal restarts nobody").isEqualTo(pods);
            Testbed.kubectl("annotate", "-n", cluster.namespace(), "etcd/young", "etcd.improbable.io/rotate-ca=now");
            eventually().atMost(Duration.ofMinutes(6)).until(() -> {
                Map<String, String> authority = secret("young-ca").getData();
                return !authority.containsKey("next.crt")
                        && !authority.containsKey("previous.crt")
                        && !trusted(cluster).equals(first);
            });
            cluster.awaitHealthy();
            writers.awaitMore(20);
            writers.stop();
            writers.assertNothingLost();
            visitor.assertNeverTurnedAwayTwice();
        }
    }

    /** Signed by the cluster's own authority, and over since half an hour. */
    private static Secret ended(Secret authority) {
        PemPair pair = Authority.of(new PemPair(text(authority, "tls.crt"), text(authority, "tls.key")))
                .issue(
                        new LeafRequest("late", Set.of(), Set.of(), Set.of(Usage.CLIENT), Duration.ofMinutes(30)),
                        Instant.now().minus(Duration.ofHours(1)));
        return new SecretBuilder()
                .addToData("tls.crt", base64(pair.certificates()))
                .addToData("tls.key", base64(pair.key()))
                .addToData("ca.crt", authority.getData().get("tls.crt"))
                .build();
    }

    private static String text(Secret secret, String key) {
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private void assertRefused(Door door) {
        try (var etcd = new Etcd(door)) {
            assertThatThrownBy(() -> etcd.put("k", "v", Duration.ofSeconds(5))).hasMessageContaining("UNAVAILABLE");
        }
    }

    private static Map<String, Object> tls(Map<String, Object> client, Map<String, Object> peer) {
        return Map.of("tls", Map.of("client", client, "peer", peer));
    }

    private static Set<String> peerUrls(TestCluster cluster) {
        try (Etcd any = Etcd.of(cluster.pod(cluster.name() + "-0"))) {
            return any.members().values().stream()
                    .flatMap(member -> member.getPeerURLsList().stream())
                    .collect(Collectors.toSet());
        }
    }

    private static void awaitPeers(TestCluster cluster, String scheme) {
        eventually()
                .atMost(Duration.ofMinutes(3))
                .until(() -> peerUrls(cluster).stream().allMatch(url -> url.startsWith(scheme)));
        cluster.awaitHealthy();
    }

    private static void awaitClients(TestCluster cluster, @Nullable String mode) {
        eventually()
                .atMost(Duration.ofMinutes(3))
                .until(() -> cluster.pods().stream()
                        .map(pod -> pod.getMetadata().getAnnotations().get("etcd.improbable.io/client-tls"))
                        .allMatch(is -> mode == null ? is == null : mode.equals(is)));
        cluster.awaitHealthy();
    }

    private Secret secret(String name) {
        return KUBE.secrets().inNamespace(namespace.name()).withName(name).require();
    }

    private String trusted(TestCluster cluster) {
        return secret(cluster.name() + "-client-tls").getData().get("ca.crt");
    }

    private static Set<String> uids(TestCluster cluster) {
        return cluster.pods().stream().map(pod -> pod.getMetadata().getUid()).collect(Collectors.toSet());
    }
}
