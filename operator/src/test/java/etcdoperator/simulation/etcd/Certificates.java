package etcdoperator.simulation.etcd;

import etcdoperator.tls.CertificateView;
import etcdoperator.tls.TrustBundle;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Who has signed a certificate, and who is trusted. The same texts are read again and again, and reading is slow. */
public final class Certificates {
    private static final int ENOUGH = 10_000;

    private static final Map<String, String> ISSUERS = new ConcurrentHashMap<>();
    private static final Map<String, Set<String>> TRUSTED = new ConcurrentHashMap<>();

    private Certificates() {}

    public static String issuer(String pem) {
        forget(ISSUERS);
        return ISSUERS.computeIfAbsent(
                pem, text -> CertificateView.of(text).issuerKeyId().orElseThrow());
    }

    public static Set<String> trusted(String pem) {
        forget(TRUSTED);
        return TRUSTED.computeIfAbsent(
                pem,
                text -> TrustBundle.of(text).certificates().stream()
                        .flatMap(certificate -> certificate.keyId().stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    private static void forget(Map<String, ?> known) {
        if (known.size() > ENOUGH) {
            known.clear();
        }
    }
}
