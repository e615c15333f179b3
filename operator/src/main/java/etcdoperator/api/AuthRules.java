package etcdoperator.api;

/**
 * Users and roles guard only the client port: whoever reaches the peer port can read and change everything. A rule of
 * the CRD, which lets a cluster change that broke it before.
 */
final class AuthRules {
    private static final String OPEN = "(has(%1$s.auth) && has(%1$s.auth.enabled) && %1$s.auth.enabled"
            + " && !(has(%1$s.auth.allowInsecurePeers) && %1$s.auth.allowInsecurePeers)"
            + " && !(has(%1$s.tls) && has(%1$s.tls.peer)))";

    /** A new cluster without spec.tls may get it from the operator, which refuses it otherwise. */
    static final String PROTECTED = "!" + OPEN.formatted("self") + " || (oldSelf.hasValue() ? "
            + OPEN.formatted("oldSelf.value()") + " : !has(self.tls))";

    static final String MESSAGE = "spec.auth.enabled needs spec.tls.peer, because anybody who reaches the peer port of a"
            + " member can read and change all keys, whatever users and roles say: set spec.tls.peer, or accept it with"
            + " spec.auth.allowInsecurePeers: true";

    private AuthRules() {}
}
