package io.improbable.etcd.etcd;

/** A user of etcd's own authentication. */
public record Credentials(String user, String password) {
    /** Passwords must never reach a log line. */
    @Override
    public String toString() {
        return "Credentials[user=" + user + "]";
    }
}
