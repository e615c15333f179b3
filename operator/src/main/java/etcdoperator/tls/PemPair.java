package etcdoperator.tls;

/**
 * A certificate and its key, as PEM texts.
 *
 * @param certificates the certificate, and after it those that lead to the one others trust
 */
public record PemPair(String certificates, String key) {
    /**
     * The same in the one form that Java's TLS reads. cert-manager and openssl write others by default.
     *
     * @throws UnreadableException if there is no such certificate or key
     */
    public PemPair forJava() {
        return new PemPair(Pem.text(Pem.certificates(certificates)), PrivateKeys.pem(PrivateKeys.read(key)));
    }

    /** Whether the key can be read and is that of the first certificate. Never throws, whatever the texts are. */
    public boolean fits() {
        return KnownPairs.fits(this);
    }

    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "PemPair[…]";
    }
}
