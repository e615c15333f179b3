package etcdoperator.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A block of a PEM text. What stands between blocks is passed over, as etcd does.
 *
 * @param text the block as it was written, from its first line to its last
 */
record Pem(String label, String text) {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    boolean isPrivateKey() {
        return label.endsWith("PRIVATE KEY");
    }

    static List<Pem> blocks(String text) {
        List<Pem> blocks = new ArrayList<>();
        String label = "";
        StringBuilder block = new StringBuilder();
        for (String line : text.lines().map(String::strip).toList()) {
            if (line.startsWith(BEGIN) && line.endsWith(DASHES)) {
                label = line.substring(BEGIN.length()).replace(DASHES, "");
                block.setLength(0);
            }
            block.append(line).append('\n');
            if (!label.isEmpty() && line.equals(END + label + DASHES)) {
                blocks.add(new Pem(label, block.toString()));
                label = "";
            }
        }
        return blocks;
    }

    /** At least one; the first is the one whose key is kept beside it. */
    static List<X509Certificate> certificates(String text) {
        List<Pem> blocks = blocks(text);
        List<X509Certificate> certificates = blocks.stream()
                .filter(block -> block.label.equals(CERTIFICATE))
                .map(Pem::certificate)
                .toList();
        if (certificates.isEmpty()) {
            throw new UnreadableException(absence(text, blocks));
        }
        return certificates;
    }

    private static String absence(String text, List<Pem> blocks) {
        if (text.isBlank()) {
            return "it is empty";
        }
        return blocks.stream().anyMatch(Pem::isPrivateKey)
                ? "it holds a private key and no certificate"
                : "it holds no certificate in PEM form";
    }

    private X509Certificate certificate() {
        try {
            // Only one kind of certificate comes out of a factory of that name.
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (CertificateException | RuntimeException e) {
            throw new UnreadableException("its certificate is damaged");
        }
    }

    static String text(List<X509Certificate> certificates) {
        StringBuilder text = new StringBuilder();
        for (X509Certificate certificate : certificates) {
            text.append(text(CERTIFICATE, encoded(certificate)));
        }
        return text.toString();
    }

    static String text(String label, byte[] content) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return BEGIN + label + DASHES + "\n" + body + "\n" + END + label + DASHES + "\n";
    }

    static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new UnreadableException("its certificate is damaged");
        }
    }

    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "Pem[" + label + "]";
    }
}
