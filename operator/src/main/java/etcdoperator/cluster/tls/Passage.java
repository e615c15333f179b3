package etcdoperator.cluster.tls;

import etcdoperator.domain.Transport.Between;
import java.util.Collection;

/**
 * The way from plaintext to TLS between members, and back. Members that speak only one and members that know only the
 * other never live side by side: between them all are prepared for both.
 */
final class Passage {
    private Passage() {}

    /** @param present how members are set up, and how their pods, which may be behind, really speak */
    static Between next(boolean wanted, Collection<Between> present) {
        if (present.isEmpty()) {
            return wanted ? Between.REQUIRED : Between.PLAIN;
        }
        if (wanted) {
            return present.contains(Between.PLAIN) ? Between.PREPARED : Between.REQUIRED;
        }
        return present.contains(Between.REQUIRED) ? Between.PREPARED : Between.PLAIN;
    }
}
