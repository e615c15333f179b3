package etcdoperator.etcd;

import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import java.util.Optional;

/** One change of etcd's users and roles. Each can be repeated, and none tells a password to whoever prints it. */
public sealed interface AccountOrder {
    record AddRole(String role) implements AccountOrder {}

    record Grant(String role, Permission permission) implements AccountOrder {}

    record Revoke(String role, Keys keys) implements AccountOrder {}

    /** @param password none for a user who is known by certificate only */
    record AddUser(String user, Optional<String> password) implements AccountOrder {
        @Override
        public String toString() {
            return "AddUser[user=%s, %s]".formatted(user, password.isPresent() ? "password=…" : "no password");
        }
    }

    record DeleteUser(String user) implements AccountOrder {}

    record ChangePassword(String user, String password) implements AccountOrder {
        @Override
        public String toString() {
            return "ChangePassword[user=" + user + ", password=…]";
        }
    }

    record GrantRole(String user, String role) implements AccountOrder {}

    record RevokeRole(String user, String role) implements AccountOrder {}

    record Enable() implements AccountOrder {}

    record Disable() implements AccountOrder {}
}
