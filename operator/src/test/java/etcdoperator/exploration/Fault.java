package etcdoperator.exploration;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** @param target which member, which watch or which change, as {@link Targets} names it; empty where there is no choice */
record Fault(Kind kind, String target) {
    enum Kind {
        POD_DELETED,
        PROCESS_KILLED,
        /** The claim is deleted, and the pod with it, without grace. */
        DISK_LOST,
        /** etcd is killed, and starts on an empty volume. */
        VOLUME_EMPTIED,
        /** Powered off, for a while. */
        NODE_OFF,
        /** Powered off and tainted out-of-service, for good. */
        NODE_LOST,
        /** One node reaches no other one, for a while. */
        PARTITION,
        OPERATOR_CRASH,
        /** The process stands still, for less time than its lease lasts. */
        OPERATOR_PAUSED,
        /** A watch, or every watch, brings nothing, for a while. */
        STALE_CACHE,
        LOST_REQUEST,
        LOST_ANSWER,
        /** It responds to no one, for longer than the operator's lease lasts. */
        SERVER_FROZEN,
        /** The certificates in a Secret have ended. */
        CERTIFICATE_EXPIRED,
        SPEC_CHANGED
    }

    private static final Pattern WRITTEN = Pattern.compile("([A-Z_]+)(?:\\(([^)]*)\\))?");

    static Fault of(Kind kind) {
        return new Fault(kind, "");
    }

    /** Whether it is one of a single request. */
    boolean isOfRequest() {
        return kind == Kind.LOST_REQUEST || kind == Kind.LOST_ANSWER;
    }

    static Fault parse(String text) {
        Matcher matcher = WRITTEN.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a fault: " + text);
        }
        return new Fault(Kind.valueOf(matcher.group(1)), matcher.group(2) == null ? "" : matcher.group(2));
    }

    @Override
    public String toString() {
        return target.isEmpty() ? kind.name() : kind + "(" + target + ")";
    }
}
