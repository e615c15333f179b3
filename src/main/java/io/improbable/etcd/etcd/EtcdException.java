package io.improbable.etcd.etcd;

/** A member did not answer, or answered with an error. */
public final class EtcdException extends Exception {
    private final String why;

    public EtcdException(String why, Throwable cause) {
        super(why, cause);
        this.why = why;
    }

    public EtcdException(String why) {
        super(why);
        this.why = why;
    }

    /** In words fit for a condition. */
    public String why() {
        return why;
    }
}
