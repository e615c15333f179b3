package etcdoperator.cluster.step;

import etcdoperator.etcd.AccountOrder;
import java.util.List;
import java.util.SortedMap;

/** Makes passwords, reads and changes etcd's users and roles. */
public sealed interface AuthStep extends Step {
    /**
     * Makes Secrets with passwords of the operator's choice.
     *
     * @param due the users they are for, by Secret
     */
    record MakePasswords(SortedMap<String, String> due, String reason) implements AuthStep, Progress.Brief {}

    /** Reads etcd's users and roles, and tries their passwords; changes nothing. */
    record ReadAccounts(String reason) implements AuthStep, Progress.Brief {}

    /** Changes etcd's users and roles, enables authentication or disables it. */
    record ChangeAccounts(Task task, List<AccountOrder> orders, String reason) implements AuthStep, Progress.OfTask {}

    /** Takes the operator's own password out of its Secret: who enables authentication from now on is somebody else. */
    record ForgetPassword(String reason) implements AuthStep, Progress.Brief {}
}
