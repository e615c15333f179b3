package io.improbable.etcd.etcd;

import java.net.URI;
import java.util.Optional;

/**
 * A user of etcd's own authentication.
 *
 * @param door where else to log in: a learner looks at no password, but takes the token that another member gave after
 *     it had started
 */
public record Credentials(String user, String password, Optional<URI> door) {
    public Credentials(String user, String password) {
        this(user, password, Optional.empty());
    }

    /** Passwords must never reach a log line. */
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
