package etcdoperator.e2e.security;

import static etcdoperator.e2e.fixture.Patience.eventually;
import static etcdoperator.e2e.fixture.Testbed.KUBE;
import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.TlsSpec.ManagedLifetimes;
import etcdoperator.e2e.fixture.ManagedTls;
import etcdoperator.e2e.fixture.TestCluster;
import etcdoperator.e2e.fixture.TestNamespace;
import etcdoperator.e2e.fixture.Testbed;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Not our own code but openssl tells whether each certificate of a cluster says what it must. */
@Execution(ExecutionMode.CONCURRENT)
class OpenSslIT {
    private static final String BOTH = "TLS Web Server Authentication, TLS Web Client Authentication";
    private static final Duration SKEW = Duration.ofMinutes(10);

    @RegisterExtension
    final TestNamespace namespace = new TestNamespace();

    @TempDir
    Path folder;

    @Test
    void eachCertificateSaysWhatItMust() {
        TestCluster cluster = namespace
                .cluster(
                        "seen",
                        TestCluster.members(1)
                                .withTls(ManagedTls.of(
                                        List.of("etcd.example.com", "192.0.2.7"), new ManagedLifetimes("48h", "720h"))))
                .create()
                .awaitHealthy();
        Map<String, Boolean> wanted = Map.of("enabled", true);
        cluster.change(Map.of("services", Map.of("nodePort", wanted, "loadBalancer", wanted)));
        String nodePort = address(service("seen-client-service-np"));
        eventually().until(() -> isGoodFor(take("seen-server-tls"), "ip", nodePort));
        cluster.awaitHealthy();

        Path server = take("seen-server-tls");
        assertGood(server, BOTH, Duration.ofHours(48), "sslserver", "sslclient");
        assertThat(serverNames())
                .allSatisfy(name ->
                        assertThat(isGoodFor(server, "host", name)).as(name).isTrue());
        assertThat(serverAddresses())
                .allSatisfy(address ->
                        assertThat(isGoodFor(server, "ip", address)).as(address).isTrue());
        assertThat(isGoodFor(server, "host", "seen-0.seen.elsewhere.svc")).isFalse();
        assertThat(isGoodFor(server, "ip", "192.0.2.8")).isFalse();

        Path peer = take("seen-peer-tls");
        assertGood(peer, BOTH, Duration.ofHours(48), "sslserver", "sslclient");
        assertThat(isGoodFor(peer, "host", "seen-0.seen.%s.svc".formatted(namespace.name())))
                .isTrue();
        assertThat(isGoodFor(peer, "host", "seen-client")).isFalse();

        for (String client : List.of("seen-client-tls", "seen-operator-tls")) {
            assertGood(take(client), "TLS Web Client Authentication", Duration.ofHours(48), "sslclient");
        }
        assertIsAuthority(take("seen-ca"));
        assertServes(cluster);
    }

    private List<String> serverNames() {
        List<String> names = new ArrayList<>(List.of(
                "localhost",
                "etcd.example.com",
                "seen-0.seen.%s.svc".formatted(namespace.name()),
                "seen-0.seen.%s.svc.cluster.local".formatted(namespace.name())));
        Stream.of("seen", "seen-client", "seen-client-service-np", "seen-client-lb")
                .flatMap(service -> Stream.of("", ".%s", ".%s.svc", ".%s.svc.cluster.local")
                        .map(rest -> service + rest.formatted(namespace.name())))
                .forEach(names::add);
        return names;
    }

    private List<String> serverAddresses() {
        List<String> addresses = new ArrayList<>(List.of("127.0.0.1", "::1", "192.0.2.7"));
        Stream.of("seen-client", "seen-client-service-np", "seen-client-lb")
                .map(name -> address(service(name)))
                .forEach(addresses::add);
        addresses.addAll(nodes());
        return addresses;
    }

    private static List<String> nodes() {
        return KUBE.nodes().list().getItems().stream()
                .flatMap(node -> node.getStatus().getAddresses().stream())
                .filter(address -> address.getType().equals("InternalIP"))
                .map(NodeAddress::getAddress)
                .toList();
    }

    /** As a client outside of Kubernetes finds it: at a node, by that node's address. */
    private void assertServes(TestCluster cluster) {
        Path client = take("seen-client-tls");
        String node = nodes().getFirst();
        int port = service("seen-client-service-np")
                .getSpec()
                .getPorts()
                .getFirst()
                .getNodePort();
        assertThat(handshake(client, node + ":" + port, "-verify_ip", node)).contains("Verification: OK");
        String pod = cluster.pod("seen-0").getStatus().getPodIP();
        assertThat(handshake(client, pod + ":2379", "-verify_hostname", "seen-client." + namespace.name() + ".svc"))
                .contains("Verification: OK");
    }

    private static String handshake(Path client, String address, String... verify) {
        return Testbed.run(
                "openssl",
                Stream.concat(
                                Stream.of(
                                        "s_client",
                                        "-brief",
                                        "-verify_return_error",
                                        "-connect",
                                        address,
                                        "-CAfile",
                                        file(client, "ca.crt"),
                                        "-cert",
                                        file(client, "tls.crt"),
                                        "-key",
                                        file(client, "tls.key")),
                                Stream.of(verify))
                        .toArray(String[]::new));
    }

    private static void assertGood(Path secret, String usages, Duration lifetime, String... purposes) {
        for (String purpose : purposes) {
            assertThat(Testbed.run(
                            "openssl",
                            "verify",
                            "-x509_strict",
                            "-purpose",
                            purpose,
                            "-CAfile",
                            file(secret, "ca.crt"),
                            file(secret, "tls.crt")))
                    .contains(": OK");
        }
        assertThat(x509(secret, "-ext", "extendedKeyUsage")).contains(usages);
        assertThat(x509(secret, "-ext", "basicConstraints")).contains("CA:FALSE");
        assertThat(Testbed.run("openssl", "pkey", "-in", file(secret, "tls.key"), "-pubout"))
                .isEqualTo(x509(secret, "-pubkey"));
        assertEnds(secret, lifetime);
    }

    private static void assertIsAuthority(Path secret) {
        assertThat(x509(secret, "-ext", "basicConstraints,keyUsage")).contains("CA:TRUE", "Certificate Sign");
        assertEnds(secret, Duration.ofHours(720));
    }

    private static void assertEnds(Path secret, Duration lifetime) {
        String end = x509(secret, "-enddate", "-dateopt", "iso_8601").strip().replace("notAfter=", "");
        assertThat(Instant.parse(end.replace(' ', 'T')))
                .isBetween(
                        Instant.now().plus(lifetime).minus(SKEW),
                        Instant.now().plus(lifetime).plus(SKEW));
    }

    private static boolean isGoodFor(Path secret, String kind, String name) {
        return x509(secret, "-check" + kind, name).contains("does match certificate");
    }

    private static String x509(Path secret, String... question) {
        return Testbed.run(
                "openssl",
                Stream.concat(Stream.of("x509", "-noout", "-in", file(secret, "tls.crt")), Stream.of(question))
                        .toArray(String[]::new));
    }

    private static String file(Path secret, String key) {
        return secret.resolve(key).toString();
    }

    /** What a Secret holds now, in files. */
    private Path take(String name) {
        Secret secret =
                KUBE.secrets().inNamespace(namespace.name()).withName(name).require();
        Path files = folder.resolve(name);
        try {
            Files.createDirectories(files);
            for (Map.Entry<String, String> entry : secret.getData().entrySet()) {
                Files.write(files.resolve(entry.getKey()), Base64.getDecoder().decode(entry.getValue()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    private Service service(String name) {
        return eventually()
                .until(
                        () -> KUBE.services()
                                .inNamespace(namespace.name())
                                .withName(name)
                                .get(),
                        found -> found != null);
    }

    private static String address(Service service) {
        return service.getSpec().getClusterIP();
    }
}
