package etcdoperator.simulation.etcd;

import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.simulation.etcd.FakeAuth.User;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What etcd makes of calls about users and roles, in its own words. */
final class FakeAccounts implements Accounts {
    private final Agreement agreement;

    /** Where a call gets, if a quorum agrees and the caller may. */
    interface Agreement {
        FakeAuth on(String what, boolean rootOnly) throws EtcdException;
    }

    FakeAccounts(Agreement agreement) {
        this.agreement = agreement;
    }

    @Override
    public boolean isEnabled(Duration deadline) throws EtcdException {
        return agreement.on("auth status", false).enabled;
    }

    @Override
    public void enable(Duration deadline) throws EtcdException {
        FakeAuth auth = agreement.on("auth enable", true);
        if (!auth.users.containsKey(ROOT)) {
            throw refused("auth enable", "root user does not exist");
        }
        if (!auth.isRoot(ROOT)) {
            throw refused("auth enable", "root user does not have root role");
        }
        auth.enabled = true;
    }

    @Override
    public void disable(Duration deadline) throws EtcdException {
        agreement.on("auth disable", true).enabled = false;
    }

    @Override
    public Login tryLogin(Credentials credentials, Duration deadline) throws EtcdException {
        return agreement.on("authenticate", false).login(credentials);
    }

    @Override
    public void addUser(String user, Optional<String> password, Duration deadline) throws EtcdException {
        agreement.on("user add", true).users.putIfAbsent(user, new User(password));
    }

    @Override
    public void deleteUser(String user, Duration deadline) throws EtcdException {
        FakeAuth auth = agreement.on("user delete", true);
        if (auth.enabled && user.equals(ROOT)) {
            throw refused("user delete", "invalid auth management");
        }
        auth.users.remove(user);
    }

    @Override
    public List<String> users(Duration deadline) throws EtcdException {
        return List.copyOf(agreement.on("user list", true).users.keySet());
    }

    @Override
    public List<String> rolesOf(String user, Duration deadline) throws EtcdException {
        return List.copyOf(user("user get", user).roles());
    }

    @Override
    public void changePassword(String user, String password, Duration deadline) throws EtcdException {
        FakeAuth auth = agreement.on("change password", true);
        User before = user("change password", user);
        auth.users.put(user, new User(before.password().map(old -> password), before.roles()));
    }

    @Override
    public void grantRole(String user, String role, Duration deadline) throws EtcdException {
        role("grant role", role);
        user("grant role", user).roles().add(role);
    }

    @Override
    public void revokeRole(String user, String role, Duration deadline) throws EtcdException {
        Optional.ofNullable(agreement.on("revoke role", true).users.get(user))
                .ifPresent(found -> found.roles().remove(role));
    }

    @Override
    public void addRole(String role, Duration deadline) throws EtcdException {
        agreement.on("role add", true).roles.putIfAbsent(role, new HashMap<>());
    }

    @Override
    public void deleteRole(String role, Duration deadline) throws EtcdException {
        FakeAuth auth = agreement.on("role delete", true);
        auth.roles.remove(role);
        auth.users.values().forEach(user -> user.roles().remove(role));
    }

    @Override
    public List<String> roles(Duration deadline) throws EtcdException {
        return List.copyOf(agreement.on("role list", true).roles.keySet());
    }

    @Override
    public List<Permission> permissionsOf(String role, Duration deadline) throws EtcdException {
        return role("role get", role).entrySet().stream()
                .map(entry -> new Permission(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public void grant(String role, Permission permission, Duration deadline) throws EtcdException {
        role("grant permission", role).put(permission.keys(), permission.access());
    }

    @Override
    public void revoke(String role, Keys keys, Duration deadline) throws EtcdException {
        agreement
                .on("revoke permission", true)
                .roles
                .getOrDefault(role, new HashMap<>())
                .remove(keys);
    }

    private User user(String what, String name) throws EtcdException {
        return Optional.ofNullable(agreement.on(what, true).users.get(name))
                .orElseThrow(() -> refused(what, "user name not found"));
    }

    private Map<Keys, Permission.Access> role(String what, String name) throws EtcdException {
        Map<String, Map<Keys, Permission.Access>> roles = agreement.on(what, true).roles;
        if (name.equals(ROOT)) {
            roles.putIfAbsent(ROOT, new HashMap<>());
        }
        return Optional.ofNullable(roles.get(name)).orElseThrow(() -> refused(what, "role name not found"));
    }

    private static EtcdException refused(String what, String why) {
        return new EtcdException(Kind.REFUSED, what + ": FAILED_PRECONDITION etcdserver: " + why);
    }
}
