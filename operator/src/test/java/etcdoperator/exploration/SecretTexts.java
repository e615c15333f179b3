package etcdoperator.exploration;

import etcdoperator.manifest.TlsSecrets;
import etcdoperator.simulation.etcd.Certificates;
import etcdoperator.tls.CertificateView;
import etcdoperator.tls.TrustBundle;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.TreeMap;

/** What matters about keys and certificates, which differ from run to run: which belongs to which, and which has ended. */
final class SecretTexts {
    private SecretTexts() {}

    static void add(Text text, Secret secret) {
        Map<String, String> sorted = new TreeMap<>(secret.getData());
        sorted.forEach((key, value) -> {
            text.add(key + ":");
            if (key.endsWith(".crt")) {
                TlsSecrets.text(secret, key).ifPresent(pem -> certificates(text, pem));
            } else {
                text.addName("data-" + value.hashCode());
            }
        });
    }

    private static void certificates(Text text, String pem) {
        for (CertificateView certificate : TrustBundle.of(pem).certificates()) {
            text.addName(certificate.keyId().orElse(""));
            text.addName(certificate.issuerKeyId().orElse(""));
            text.add(Certificates.hasEnded(certificate) ? "ended" : "valid");
        }
    }
}
