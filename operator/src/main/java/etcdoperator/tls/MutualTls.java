package etcdoperator.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** Java's own TLS for a client that shows a certificate, and knows by which name the server is to answer. */
public final class MutualTls {
    private static final char[] NO_PASSWORD = new char[0];

    private MutualTls() {}

    /**
     * For connections to one server only, whatever address it is called at.
     *
     * @param trusted certificates of authorities
     * @param name what the server's certificate has to be good for
     * @throws UnreadableException if there is no such certificate or key
     */
    public static SSLContext context(PemPair mine, String trusted, String name) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    keys(mine).getKeyManagers(), new TrustManager[] {new ByName(authorities(trusted), name)}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    private static KeyManagerFactory keys(PemPair mine) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "mine",
                PrivateKeys.read(mine.key()),
                NO_PASSWORD,
                Pem.certificates(mine.certificates()).toArray(X509Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, NO_PASSWORD);
        return keys;
    }

    private static X509TrustManager authorities(String trusted) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        List<X509Certificate> certificates = Pem.certificates(trusted);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("trusted-" + i, certificates.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return Stream.of(factory.getTrustManagers())
                .filter(X509TrustManager.class::isInstance)
                .map(X509TrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    /** Java would compare the certificate with the address that was called. All else is left to Java. */
    private static final class ByName extends X509ExtendedTrustManager {
        private final X509TrustManager authorities;
        private final String name;

        ByName(X509TrustManager authorities, String name) {
            this.authorities = authorities;
            this.name = name;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            authorities.checkServerTrusted(chain, type);
            if (!isForName(chain[0])) {
                throw new CertificateException("the certificate is not good for " + name);
            }
        }

        private boolean isForName(X509Certificate certificate) throws CertificateException {
            try {
                return CertificateView.of(certificate).isFor(name);
            } catch (UnreadableException e) {
                throw new CertificateException("the certificate cannot be read", e);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("this is no server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return authorities.getAcceptedIssuers();
        }
    }
}
