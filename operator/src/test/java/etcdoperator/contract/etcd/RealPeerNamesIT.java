package etcdoperator.contract.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.tls.Authority;
import etcdoperator.tls.LeafRequest;
import etcdoperator.tls.PemPair;
import etcdoperator.tls.Usage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may speak with a member as a member, where two clusters have one authority and one name in two namespaces. */
@ParameterizedClass
@ValueSource(strings = {"3.4.23", "3.5.35", "3.6.16", "3.7.3"})
class RealPeerNamesIT {
    private static final Duration DAY = Duration.ofDays(1);
    private static final String HERE = "*.c.ns.svc";
    private static final String ELSEWHERE = "*.c.other.svc";

    @Parameter
    String version;

    @TempDir
    Path folder;

    private final Authority authority = Authority.create("shared", DAY, Instant.now());
    private Process etcd;

    @AfterEach
    void stop() {
        etcd.destroyForcibly().onExit().join();
    }

    @Test
    void byHostNameAMemberOfAnotherNamespaceIsNone() throws IOException {
        URI member = start("--peer-cert-allowed-hostname=c-0.c.ns.svc");
        assertThat(isLetIn(member, HERE)).isTrue();
        assertThat(isLetIn(member, ELSEWHERE)).isFalse();
    }

    /** As earlier operators have set up members: the common name says nothing of the namespace. */
    @Test
    void byCommonNameItIsOne() throws IOException {
        URI member = start("--peer-cert-allowed-cn=c-peer");
        assertThat(isLetIn(member, HERE)).isTrue();
        assertThat(isLetIn(member, ELSEWHERE)).isTrue();
    }

    private URI start(String check) throws IOException {
        List<Integer> ports = FreePorts.take(2);
        String client = "http://127.0.0.1:" + ports.getFirst();
        String peer = "https://127.0.0.1:" + ports.getLast();
        Files.writeString(folder.resolve("ca.crt"), authority.pem().certificates());
        write("peer", HERE);
        List<String> command = new ArrayList<>(List.of(
                EtcdBinary.of(version).toString(),
                "--name=one",
                "--data-dir=" + folder.resolve("data"),
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=one=" + peer,
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--peer-cert-file=" + folder.resolve("peer.crt"),
                "--peer-key-file=" + folder.resolve("peer.key"),
                "--peer-trusted-ca-file=" + folder.resolve("ca.crt"),
                "--peer-client-cert-auth=true",
                check));
        etcd = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        await().atMost(Duration.ofMinutes(1)).until(() -> isLetIn(URI.create(peer), HERE));
        return URI.create(peer);
    }

    private void write(String name, String host) throws IOException {
        PemPair pair = authority.issue(
                new LeafRequest("c-peer", Set.of(host), Set.of("127.0.0.1"), Set.of(Usage.SERVER, Usage.CLIENT), DAY),
                Instant.now());
        Files.writeString(folder.resolve(name + ".crt"), pair.certificates());
        Files.writeString(folder.resolve(name + ".key"), pair.key());
    }

    /** @param host what the certificate is good for */
    private boolean isLetIn(URI member, String host) throws IOException {
        write("visitor", host);
        Process curl = new ProcessBuilder(
                        "curl",
                        "--silent",
                        "--fail",
                        "--max-time",
                        "5",
                        "--cacert",
                        folder.resolve("ca.crt").toString(),
                        "--cert",
                        folder.resolve("visitor.crt").toString(),
                        "--key",
                        folder.resolve("visitor.key").toString(),
                        member + "/version")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return curl.onExit().join().exitValue() == 0;
    }
}
