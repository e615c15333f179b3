package etcdoperator.etcd;

import java.net.URI;
import java.util.Optional;

/**
 * A user of etcd's own authentication.
 *
 * @param door where else to log in: a learner looks at no password, but takes the token that another member gave after
 *     it had started
 * @param otherwise who to be where etcd does not take this password, or has no such user
 */
public record Credentials(String user, String password, Optional<URI> door, Optional<Credentials> otherwise) {
    public Credentials(String user, String password, Optional<URI> door) {
        this(user, password, door, Optional.empty());
    }

    public Credentials(String user, String password) {
        this(user, password, Optional.empty());
    }

    public Credentials or(Credentials other) {
        return new Credentials(user, password, door, Optional.of(other));
    }

    /** Everybody this could be. */
    public String users() {
        return otherwise.map(other -> user + " or " + other.users()).orElse(user);
    }

    /** Passwords must never reach a log line. */
    @Override
    public String toString() {
        return "Credentials[user=" + users() + "]";
    }
}
