package etcdoperator.etcd;

import etcdoperator.domain.Permission;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The users and roles that etcd lists.
 *
 * @param users with their roles
 * @param roles with what they allow
 * @param logins what came of trying the passwords that users should have; a user may be missing
 */
public record AccountBook(
        boolean enabled,
        Map<String, Set<String>> users,
        Map<String, List<Permission>> roles,
        Map<String, Accounts.Login> logins) {}
