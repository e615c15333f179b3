package etcdoperator.etcd;

/** PEM texts for mutual TLS: who we trust, and who we are. */
public record TlsMaterial(String trustedCertificates, String certificateChain, String privateKey) {
    /** Keys must never reach a log line. */
    @Override
    public String toString() {
        return "TlsMaterial[…]";
    }
}
