package etcdoperator.cluster.auth;

import static java.util.stream.Collectors.joining;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.AuthStep;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.AuthView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.Roster;
import etcdoperator.etcd.AccountOrder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Steps that bring etcd's users and roles to what is asked for: only while nothing else moves, and never because of a guess. */
public final class AccountSteps {
    private static final int TOLD = 8;

    private final ClusterView view;
    private final Roster roster;

    public AccountSteps(ClusterView view, Roster roster) {
        this.view = view;
        this.roster = roster;
    }

    public Optional<Step> next() {
        if (!isSettled()) {
            return Optional.empty();
        }
        AuthView auth = view.auth();
        if (!auth.due().isEmpty()) {
            return Optional.of(new AuthStep.MakePasswords(
                    auth.due(),
                    "Making a password in " + String.join(", ", auth.due().keySet())));
        }
        if (auth.problem().isPresent()) {
            return Optional.empty();
        }
        if (auth.look()) {
            return Optional.of(new AuthStep.ReadAccounts(withTrouble("Reading etcd's users and roles")));
        }
        if (!auth.orders().isEmpty()) {
            var task = new Task(OperationType.ACCOUNTS, view.wish().key().name());
            return Optional.of(new AuthStep.ChangeAccounts(task, auth.orders(), withTrouble(told(auth.orders()))));
        }
        return auth.over()
                ? Optional.of(new AuthStep.ForgetPassword(
                        "Forgetting the operator's password, because authentication is disabled"))
                : Optional.empty();
    }

    /** What was begun goes on; for anything else it waits. */
    private boolean isSettled() {
        boolean moves = view.memory()
                .operation()
                .filter(operation -> operation.type() != OperationType.ACCOUNTS && !waitsForAPod(operation))
                .isPresent();
        return !moves
                && roster.activeLearners().isEmpty()
                && roster.everyVoterIsWell()
                && view.ownPeers().size() == view.wish().replicas();
    }

    /** Nothing moves until the etcd of the learner starts that the operation is about. */
    private boolean waitsForAPod(Operation operation) {
        return roster.learners().stream()
                .anyMatch(learner -> operation.target().equals(learner.known()) && roster.isOverdue(learner));
    }

    private String withTrouble(String reason) {
        return view.chores().trouble().map(why -> reason + "; " + why).orElse(reason);
    }

    private static String told(List<AccountOrder> orders) {
        if (orders.contains(new AccountOrder.Disable())) {
            return "Disabling authentication; users and roles stay";
        }
        if (orders.contains(new AccountOrder.Enable())) {
            String users = orders.stream()
                    .flatMap(order -> order instanceof AccountOrder.AddUser added
                            ? Stream.of(added.user())
                            : Stream.<String>empty())
                    .collect(joining(", "));
            return "Enabling authentication, with users " + users;
        }
        List<String> all = orders.stream().map(AccountSteps::told).distinct().toList();
        String first = all.stream().limit(TOLD).collect(joining(", "));
        int more = all.size() - TOLD;
        return "Changing etcd's users and roles: " + first + (more > 0 ? ", and %d more".formatted(more) : "");
    }

    private static String told(AccountOrder order) {
        return switch (order) {
            case AccountOrder.AddRole(String role) -> "add role " + role;
            case AccountOrder.Grant(String role, var permission) -> "allow more to role " + role;
            case AccountOrder.Revoke(String role, var keys) -> "allow less to role " + role;
            case AccountOrder.AddUser(String user, var password) -> "add user " + user;
            case AccountOrder.DeleteUser(String user) -> "delete user " + user;
            case AccountOrder.ChangePassword(String user, var password) -> "change the password of user " + user;
            case AccountOrder.GrantRole(String user, String role) -> "give user %s role %s".formatted(user, role);
            case AccountOrder.RevokeRole(String user, String role) -> "take role %s from user %s".formatted(role, user);
            case AccountOrder.Enable() -> "enable authentication";
            case AccountOrder.Disable() -> "disable authentication";
        };
    }
}
