package etcdoperator.cluster.execute;

import etcdoperator.domain.Permission;
import etcdoperator.etcd.AccountBook;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads and changes the users and roles of a cluster, through one of its members. */
public final class AccountKeeper {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final EtcdClient.Factory clients;

    public AccountKeeper(EtcdClient.Factory clients) {
        this.clients = clients;
    }

    /** @param passwords that users should have; those without one are tried, too, as only that tells if they have one */
    public AccountBook read(Endpoint member, Map<String, Optional<String>> passwords) throws EtcdException {
        try (EtcdClient client = clients.connect(member)) {
            Accounts accounts = client.accounts();
            var users = new TreeMap<String, Set<String>>();
            for (String user : accounts.users(DEADLINE)) {
                users.put(user, Set.copyOf(accounts.rolesOf(user, DEADLINE)));
            }
            var roles = new TreeMap<String, List<Permission>>();
            for (String role : accounts.roles(DEADLINE)) {
                roles.put(role, accounts.permissionsOf(role, DEADLINE));
            }
            boolean enabled = accounts.isEnabled(DEADLINE);
            var logins = new TreeMap<String, Accounts.Login>();
            for (var entry : passwords.entrySet()) {
                if (enabled && users.containsKey(entry.getKey())) {
                    var tried = new Credentials(entry.getKey(), entry.getValue().orElse("-"));
                    logins.put(entry.getKey(), accounts.tryLogin(tried, DEADLINE));
                }
            }
            return new AccountBook(enabled, users, roles, logins);
        }
    }

    /** In this order; ends at the first that fails, and can be repeated as a whole. */
    public void carryOut(Endpoint member, List<AccountOrder> orders) throws EtcdException {
        try (EtcdClient client = clients.connect(member)) {
            for (AccountOrder order : orders) {
                carryOut(client.accounts(), order);
            }
        }
    }

    private static void carryOut(Accounts accounts, AccountOrder order) throws EtcdException {
        switch (order) {
            case AccountOrder.AddRole(String role) -> accounts.addRole(role, DEADLINE);
            case AccountOrder.Grant(String role, var permission) -> accounts.grant(role, permission, DEADLINE);
            case AccountOrder.Revoke(String role, var keys) -> accounts.revoke(role, keys, DEADLINE);
            case AccountOrder.AddUser(String user, var password) -> accounts.addUser(user, password, DEADLINE);
            case AccountOrder.DeleteUser(String user) -> accounts.deleteUser(user, DEADLINE);
            case AccountOrder.ChangePassword(String user, String password) ->
                accounts.changePassword(user, password, DEADLINE);
            case AccountOrder.GrantRole(String user, String role) -> accounts.grantRole(user, role, DEADLINE);
            case AccountOrder.RevokeRole(String user, String role) -> accounts.revokeRole(user, role, DEADLINE);
            case AccountOrder.Enable() -> accounts.enable(DEADLINE);
            case AccountOrder.Disable() -> accounts.disable(DEADLINE);
        }
    }
}
