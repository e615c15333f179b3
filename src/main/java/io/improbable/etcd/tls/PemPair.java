package io.improbable.etcd.tls;

/**
 * A certificate and its key, as PEM texts.
 *
 * @param certificates the certificate, and after it those that lead to the one others trust
 */
public record PemPair(String certificates, String key) {
    /**
     * The same key in the one form that Java's TLS reads. cert-manager and openssl write others by default.
     *
     * @throws UnreadableException if there is no such key
     */
    public PemPair withPkcs8Key() {
        return new PemPair(certificates, PrivateKeys.pem(PrivateKeys.read(key)));
    }

    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "PemPair[…]";
    }
}
