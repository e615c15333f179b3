package etcdoperator.cluster.tls;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.tls.UnreadableException;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.List;

/** What is told of a cluster's own authority when it cannot sign what is needed. */
public final class AuthorityProblems {
    private AuthorityProblems() {}

    public static Problem unreadable(Secret secret, UnreadableException why) {
        return invalid(
                "Secret %s does not hold the authority that the operator has put there (%s); restore it, or delete it to have another one made, which members are brought to trust one by one"
                        .formatted(secret.getMetadata().getName(), why.getMessage()));
    }

    public static Problem gone() {
        return invalid(
                "The Secrets with the cluster's certificates are gone or have ended, while members still run with what was in them; delete all pods of the cluster at once, so that they start with new ones");
    }

    public static Problem keyGone(List<String> unsigned) {
        return invalid(
                "The key of the authority that members trust is gone, and so is what was in %s, which nobody can sign again; restore it, or delete all Secrets of the cluster's certificates and then all of its pods at once, so that they start with another authority"
                        .formatted(String.join(", ", unsigned)));
    }

    /** @param until when the next one signs */
    public static Problem keyAwaited(List<String> unsigned, Instant until) {
        return new Problem(
                Kind.CertificatesMissing,
                "The key of the authority was lost, so that what is to be in %s is signed by the next one, from %s on; until then clients have time to read that it is to be trusted"
                        .formatted(String.join(", ", unsigned), until));
    }

    public static Problem ended(String secret, AuthorityView authority) {
        return invalid(
                "The authority in Secret %s ended on %s, and nobody has renewed it before; delete all pods of the cluster at once, so that they start with another one"
                        .formatted(secret, authority.signs().notAfter()));
    }

    public static Problem early(String secret, AuthorityView authority) {
        return invalid(
                "The authority in Secret %s is valid only from %s on: it was made by an operator whose clock was ahead, and until then no connection by TLS succeeds; delete all pods of the cluster at once, so that they start with another one"
                        .formatted(secret, authority.signs().notBefore()));
    }

    private static Problem invalid(String message) {
        return new Problem(Kind.CertificatesInvalid, message);
    }
}
