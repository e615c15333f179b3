package etcdoperator.etcd.grpc;

import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.ShownCertificates;
import etcdoperator.tls.CertificateView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Begins a handshake, reads what is shown, and leaves. Nothing is said or believed on such a connection. */
public final class TlsSight implements ShownCertificates {
    @Override
    public Optional<String> issuerAt(Endpoint member, int port, Duration deadline) throws EtcdException {
        var witness = new Witness();
        int millis = (int) deadline.toMillis();
        String host = member.url().getHost().replaceAll("[\\[\\]]", "");
        try (var plain = new Socket();
                var alarm = Alarm.closing(plain, deadline)) {
            plain.connect(new InetSocketAddress(host, port), millis);
            plain.setSoTimeout(millis);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {witness}, null);
            try (var socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                socket.startHandshake();
            }
        } catch (IOException e) {
            // They want to see our certificate, too, and by then have shown theirs.
            if (witness.shown.isEmpty()) {
                throw new EtcdException(Kind.NO_ANSWER, "certificate at port " + port + ": no handshake", e);
            }
        } catch (GeneralSecurityException e) {
            throw new EtcdException(Kind.REFUSED, "certificate at port " + port + ": " + e.getMessage(), e);
        }
        return witness.shown.flatMap(CertificateView::issuerKeyId);
    }

    /** Ends a handshake in which a byte comes now and then. */
    private record Alarm(Future<?> set) implements AutoCloseable {
        private static final ScheduledExecutorService CLOCK = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("handshakes").factory());

        static Alarm closing(Socket socket, Duration deadline) {
            return new Alarm(CLOCK.schedule(() -> close(socket), deadline.toMillis(), TimeUnit.MILLISECONDS));
        }

        private static void close(Socket socket) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use either way.
            }
        }

        @Override
        public void close() {
            set.cancel(false);
        }
    }

    /** Looks and lets everything pass. */
    private static final class Witness extends X509ExtendedTrustManager {
        private Optional<CertificateView> shown = Optional.empty();

        private void see(X509Certificate[] chain) {
            shown = Optional.of(CertificateView.of(chain[0]));
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
            see(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            see(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            see(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
            see(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            see(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            see(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
