package etcdoperator.simulation.etcd;

import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission.Access;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Accounts.Login;
import etcdoperator.etcd.Credentials;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The users and roles that one cluster has agreed on. Tokens are left out: whoever has the right password has one. */
final class FakeAuth {
    boolean enabled;
    final Map<String, User> users = new TreeMap<>();
    final Map<String, Map<Keys, Access>> roles = new TreeMap<>();

    record User(Optional<String> password, Set<String> roles) {
        User(Optional<String> password) {
            this(password, new TreeSet<>());
        }
    }

    Login login(Credentials credentials) {
        User user = users.get(credentials.user());
        if (!enabled) {
            return Login.NOT_ENABLED;
        }
        if (user != null && user.password().isEmpty()) {
            return Login.PASSWORDLESS;
        }
        return user != null && user.password().equals(Optional.of(credentials.password()))
                ? Login.ACCEPTED
                : Login.WRONG;
    }

    boolean isRoot(String user) {
        return users.containsKey(user) && users.get(user).roles().contains(Accounts.ROOT);
    }
}
