package etcdoperator.etcd;

import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Users and roles of etcd, through one member; a quorum has to agree on each call. All can be repeated: what is there
 * already, or is gone already, is as good as made or removed now. While authentication is on, only a user with the role
 * root is heard.
 */
public interface Accounts {
    /** The user, and the role, without which authentication cannot be enabled. */
    String ROOT = "root";

    /** Who the operator is to etcd; nobody else knows its password. */
    String OPERATOR = "etcd-operator";

    /** Answered to anybody. Most lines of etcd write an entry for it, so it is nothing to ask all the time. */
    boolean isEnabled(Duration deadline) throws EtcdException;

    /** Needs a user root that has the role root. */
    void enable(Duration deadline) throws EtcdException;

    void disable(Duration deadline) throws EtcdException;

    /** Whether these would be let in; slow on purpose, as etcd is with passwords. */
    Login tryLogin(Credentials credentials, Duration deadline) throws EtcdException;

    /** What came of trying a password. */
    enum Login {
        ACCEPTED,
        /** The password is another one, or nobody has that name. */
        WRONG,
        /** The user is there and is known by certificate only. */
        PASSWORDLESS,
        /** Authentication is not enabled, and while it is not etcd looks at no password. */
        NOT_ENABLED
    }

    /** @param password none for a user who is known by certificate only */
    void addUser(String user, Optional<String> password, Duration deadline) throws EtcdException;

    void deleteUser(String user, Duration deadline) throws EtcdException;

    List<String> users(Duration deadline) throws EtcdException;

    List<String> rolesOf(String user, Duration deadline) throws EtcdException;

    /** Ends the user's sessions. A user who was added without a password does not get one by it. */
    void changePassword(String user, String password, Duration deadline) throws EtcdException;

    void grantRole(String user, String role, Duration deadline) throws EtcdException;

    void revokeRole(String user, String role, Duration deadline) throws EtcdException;

    void addRole(String role, Duration deadline) throws EtcdException;

    /** Takes it from all users who have it, too. */
    void deleteRole(String role, Duration deadline) throws EtcdException;

    List<String> roles(Duration deadline) throws EtcdException;

    List<Permission> permissionsOf(String role, Duration deadline) throws EtcdException;

    /** Replaces what the role was allowed on the very same keys. */
    void grant(String role, Permission permission, Duration deadline) throws EtcdException;

    void revoke(String role, Keys keys, Duration deadline) throws EtcdException;
}
