package etcdoperator.tls;

/** A text that should hold a certificate or a key does not. The message never repeats the text: it may be a key. */
public final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableException(String why) {
        super(why);
    }
}
