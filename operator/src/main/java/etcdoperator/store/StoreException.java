package etcdoperator.store;

import java.io.IOException;

/**
 * A store did not do what it was asked for. The message is a sentence for users: where, what, and what to do. What the
 * providers' libraries threw is no cause of it: their messages quote requests, and with them signatures.
 */
public final class StoreException extends IOException {
    private final Kind kind;

    /** What to make of it. */
    public enum Kind {
        NOT_FOUND,
        /** The store does not know who asks, or does not allow it. */
        DENIED,
        NO_BUCKET,
        /** No answer, or "not now". The only kind that time may cure. */
        UNREACHABLE,
        /** An answer that makes no sense here, or an error of the store's own. */
        BROKEN
    }

    StoreException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
