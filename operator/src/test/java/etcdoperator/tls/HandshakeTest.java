package etcdoperator.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** Java's own TLS on both ends, each asking for the other's certificate. */
class HandshakeTest {
    private static final char[] NO_PASSWORD = new char[0];

    private final Instant now = Instant.now();
    private final Authority authority = Authority.create("c of default", Duration.ofDays(1), now);
    private final PemPair server = authority.issue(Leaves.member(), now);

    @Test
    void bothSidesKnowEachOther() throws Exception {
        PemPair client = authority.issue(Leaves.client("root"), now);
        assertThat(userSeenBy(context(server, authority), context(client, authority), "localhost"))
                .isEqualTo("root");
    }

    @Test
    void aMemberIsAClientOfOthers() throws Exception {
        assertThat(userSeenBy(context(server, authority), context(server, authority), "127.0.0.1"))
                .isEqualTo("c-0");
    }

    @Test
    void aStrangerIsTurnedAway() throws Exception {
        Authority other = Authority.create("c of default", Duration.ofDays(1), now);
        PemPair stranger = other.issue(Leaves.client("root"), now);
        SSLContext servers = context(server, authority);
        SSLContext strangers = context(stranger, authority);
        assertThatThrownBy(() -> userSeenBy(servers, strangers, "localhost")).isInstanceOf(IOException.class);
    }

    @Test
    void aClientIsNoServer() throws Exception {
        PemPair client = authority.issue(Leaves.client("root"), now);
        SSLContext clients = context(client, authority);
        assertThatThrownBy(() -> userSeenBy(clients, clients, "localhost")).isInstanceOf(SSLException.class);
    }

    /** Which common name the server sees, if the client takes it for that host. */
    private static String userSeenBy(SSLContext server, SSLContext client, String host) throws Exception {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        try (var listener = (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
            listener.setNeedClientAuth(true);
            CompletableFuture<String> seen = CompletableFuture.supplyAsync(() -> greet(listener));
            try (var plain = new java.net.Socket(loopback, listener.getLocalPort());
                    var socket = (SSLSocket)
                            client.getSocketFactory().createSocket(plain, host, listener.getLocalPort(), true)) {
                var parameters = socket.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
                socket.getOutputStream().write(1);
                // In TLS 1.3 a client learns only by reading that it was turned away.
                if (socket.getInputStream().read() != 2) {
                    throw new SSLException("turned away");
                }
            }
            return seen.join();
        }
    }

    private static String greet(SSLServerSocket listener) {
        try (var socket = (SSLSocket) listener.accept()) {
            socket.getInputStream().read();
            socket.getOutputStream().write(2);
            var shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return CertificateView.of(shown).commonName();
        } catch (IOException e) {
            return "nobody: " + e.getMessage();
        }
    }

    private static SSLContext context(PemPair pair, Authority trusted) throws GeneralSecurityException, IOException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setKeyEntry(
                "own",
                PrivateKeys.read(pair.key()),
                NO_PASSWORD,
                Pem.certificates(pair.certificates()).toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(own, NO_PASSWORD);
        KeyStore others = KeyStore.getInstance("PKCS12");
        others.load(null, null);
        others.setCertificateEntry(
                "others", Pem.certificates(trusted.pem().certificates()).getFirst());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(others);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
