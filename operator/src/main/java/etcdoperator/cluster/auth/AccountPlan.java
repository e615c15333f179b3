package etcdoperator.cluster.auth;

import static java.util.stream.Collectors.toMap;

import etcdoperator.api.AuthSpec;
import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import etcdoperator.etcd.AccountBook;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.etcd.AccountOrder.AddRole;
import etcdoperator.etcd.AccountOrder.AddUser;
import etcdoperator.etcd.AccountOrder.ChangePassword;
import etcdoperator.etcd.AccountOrder.DeleteUser;
import etcdoperator.etcd.AccountOrder.Disable;
import etcdoperator.etcd.AccountOrder.Enable;
import etcdoperator.etcd.AccountOrder.Grant;
import etcdoperator.etcd.AccountOrder.GrantRole;
import etcdoperator.etcd.AccountOrder.Revoke;
import etcdoperator.etcd.AccountOrder.RevokeRole;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Accounts.Login;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What brings etcd's users and roles to what is asked for. Pure. Root comes first and authentication is enabled last, so
 * that a plan which was cut short locks nobody out and can be made anew. Users and roles that nobody asked for were made
 * by hand, and are left alone.
 *
 * @param missingRoles roles that users should have and that are nowhere; they are not granted
 */
public record AccountPlan(List<AccountOrder> orders, List<String> missingRoles) {
    public static AccountPlan of(Wanted wanted, AccountBook found) {
        if (!wanted.enabled()) {
            return new AccountPlan(found.enabled() ? List.of(new Disable()) : List.of(), List.of());
        }
        return new Maker(wanted, found).plan();
    }

    /** @param password none for a user who is known by certificate only */
    record WantedUser(Optional<String> password, Set<String> roles) {
        /** Passwords must never reach a log line. */
        @Override
        public String toString() {
            return "WantedUser" + roles;
        }
    }

    /** @param users root among them, always with the role root */
    public record Wanted(
            boolean enabled, Map<String, WantedUser> users, Map<String, Map<Keys, Permission.Access>> roles) {
        /** @param passwords of root, of the operator and of every user that has a Secret, by name */
        static Wanted of(AuthSpec spec, Map<String, String> passwords) {
            Map<String, WantedUser> users = new LinkedHashMap<>();
            Set<String> rootRoles = new TreeSet<>(Set.of(Accounts.ROOT));
            users.put(Accounts.ROOT, new WantedUser(Optional.of(password(Accounts.ROOT, passwords)), rootRoles));
            Optional.ofNullable(passwords.get(Accounts.OPERATOR))
                    .ifPresent(password ->
                            users.put(Accounts.OPERATOR, new WantedUser(Optional.of(password), Set.of(Accounts.ROOT))));
            for (AuthSpec.User user : spec.users()) {
                if (user.name().equals(Accounts.ROOT)) {
                    rootRoles.addAll(user.roles());
                } else {
                    Optional<String> password =
                            Optional.ofNullable(user.passwordSecret()).map(secret -> password(user.name(), passwords));
                    users.put(user.name(), new WantedUser(password, new TreeSet<>(user.roles())));
                }
            }
            Map<String, Map<Keys, Permission.Access>> roles = new LinkedHashMap<>();
            spec.roles().forEach(role -> roles.put(role.name(), permissions(role)));
            return new Wanted(Boolean.TRUE.equals(spec.enabled()), users, roles);
        }

        private static String password(String user, Map<String, String> passwords) {
            return Optional.ofNullable(passwords.get(user))
                    .orElseThrow(() -> new IllegalArgumentException("nobody has looked up the password of " + user));
        }

        /** Reading and writing may be allowed on two lines; etcd has one permission for the same keys. */
        private static Map<Keys, Permission.Access> permissions(AuthSpec.Role role) {
            return role.permissions().stream()
                    .collect(toMap(
                            Wanted::keys,
                            permission -> switch (permission.access()) {
                                case READ -> Permission.Access.READ;
                                case WRITE -> Permission.Access.WRITE;
                                case READ_WRITE -> Permission.Access.READ_WRITE;
                            },
                            (one, other) -> one == other ? one : Permission.Access.READ_WRITE,
                            LinkedHashMap::new));
        }

        private static Keys keys(AuthSpec.Permission permission) {
            String key = permission.key();
            return key == null
                    ? new Keys.Under(Optional.ofNullable(permission.prefix()).orElse(""))
                    : new Keys.One(key);
        }
    }

    private static final class Maker {
        private final Wanted wanted;
        private final AccountBook found;
        private final List<AccountOrder> orders = new ArrayList<>();
        private final Set<String> missingRoles = new TreeSet<>();

        Maker(Wanted wanted, AccountBook found) {
            this.wanted = wanted;
            this.found = found;
        }

        AccountPlan plan() {
            addRole(Accounts.ROOT);
            user(Accounts.ROOT);
            wanted.roles().keySet().stream()
                    .filter(role -> !role.equals(Accounts.ROOT))
                    .forEach(this::role);
            wanted.users().keySet().stream()
                    .filter(user -> !user.equals(Accounts.ROOT))
                    .forEach(this::user);
            if (!found.enabled()) {
                orders.add(new Enable());
            } else if (login(Accounts.ROOT) == Login.WRONG) {
                // Last, because it ends the session in which all of this is done.
                changePassword(Accounts.ROOT);
            }
            return new AccountPlan(List.copyOf(orders), List.copyOf(missingRoles));
        }

        private void addRole(String role) {
            if (!found.roles().containsKey(role)) {
                orders.add(new AddRole(role));
            }
        }

        private void role(String role) {
            addRole(role);
            Map<Keys, Permission.Access> allowed = wanted.roles().getOrDefault(role, Map.of());
            List<Permission> present = found.roles().getOrDefault(role, List.of());
            present.stream()
                    .filter(permission -> !allowed.containsKey(permission.keys()))
                    .forEach(permission -> orders.add(new Revoke(role, permission.keys())));
            allowed.forEach((keys, access) -> {
                var permission = new Permission(keys, access);
                if (!present.contains(permission)) {
                    orders.add(new Grant(role, permission));
                }
            });
        }

        private void user(String name) {
            WantedUser user = wantedUser(name);
            Set<String> present = found.users().get(name);
            boolean anew = present != null && mustBeMadeAnew(name, user);
            if (anew) {
                orders.add(new DeleteUser(name));
            }
            if (anew || present == null) {
                orders.add(new AddUser(name, user.password()));
            } else if (login(name) == Login.WRONG && !name.equals(Accounts.ROOT)) {
                changePassword(name);
            }
            roles(name, user.roles(), anew || present == null ? Set.of() : present);
        }

        /**
         * While authentication is off, etcd tells nobody whether a user has a password, and a change of it does nothing
         * for one who has none; enabling it with such a root would lock everybody out. Once it is on, root stays.
         */
        private boolean mustBeMadeAnew(String name, WantedUser user) {
            if (!found.enabled()) {
                return true;
            }
            Login login = login(name);
            boolean hasPassword = login == Login.ACCEPTED || login == Login.WRONG;
            boolean differs = user.password().isPresent() ? login == Login.PASSWORDLESS : hasPassword;
            return differs && !name.equals(Accounts.ROOT);
        }

        private void changePassword(String name) {
            wantedUser(name).password().ifPresent(password -> orders.add(new ChangePassword(name, password)));
        }

        private WantedUser wantedUser(String name) {
            return Optional.ofNullable(wanted.users().get(name)).orElseThrow();
        }

        private @Nullable Login login(String name) {
            return found.logins().get(name);
        }

        private void roles(String user, Set<String> roles, Set<String> present) {
            present.stream()
                    .filter(role -> !roles.contains(role))
                    .sorted()
                    .forEach(role -> orders.add(new RevokeRole(user, role)));
            for (String role : roles) {
                if (!isThere(role)) {
                    missingRoles.add(role);
                } else if (!present.contains(role)) {
                    orders.add(new GrantRole(user, role));
                }
            }
        }

        private boolean isThere(String role) {
            return role.equals(Accounts.ROOT)
                    || wanted.roles().containsKey(role)
                    || found.roles().containsKey(role);
        }
    }
}
