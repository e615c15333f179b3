package etcdoperator.tls;

/** What a certificate may be shown for. */
public enum Usage {
    SERVER("server", "1.3.6.1.5.5.7.3.1"),
    CLIENT("client", "1.3.6.1.5.5.7.3.2");

    private final String word;
    private final String oid;

    Usage(String word, String oid) {
        this.word = word;
        this.oid = oid;
    }

    public String word() {
        return word;
    }

    /** As it is written in the extended key usage of a certificate. */
    String oid() {
        return oid;
    }
}
