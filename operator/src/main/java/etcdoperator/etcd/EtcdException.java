package etcdoperator.etcd;

/** A member did not answer, or answered with an error. */
public final class EtcdException extends Exception {
    private final Kind kind;
    private final String why;

    /** What to make of it. */
    public enum Kind {
        /** Whether the thing was done is not known. */
        NO_ANSWER,
        /** etcd says no for now, to protect its quorum; asking again later is the cure. */
        NOT_YET,
        /** etcd says no. */
        REFUSED,
        /** etcd wants to know who asks, does not take the password, or does not allow it to this user. */
        NO_ACCESS,
        /** The members are not those the call was meant for. */
        CHANGED
    }

    public EtcdException(Kind kind, String why, Throwable cause) {
        super(why, cause);
        this.kind = kind;
        this.why = why;
    }

    public EtcdException(Kind kind, String why) {
        super(why);
        this.kind = kind;
        this.why = why;
    }

    public Kind kind() {
        return kind;
    }

    /** In words fit for a condition. */
    public String why() {
        return why;
    }
}
