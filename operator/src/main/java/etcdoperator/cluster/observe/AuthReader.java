package etcdoperator.cluster.observe;

import etcdoperator.cluster.auth.AccountPlan;
import etcdoperator.cluster.auth.Passwords;
import etcdoperator.cluster.view.AuthView;
import etcdoperator.cluster.view.Chores;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.AccountOrder;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.PasswordSecrets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes of Secrets, answers and what was read of etcd's users what the planner sees of authentication. Pure. */
public final class AuthReader {
    /** Somebody may change users, roles or all of authentication by hand, and each look costs etcd some entries. */
    private static final Duration LOOK_AGAIN = Duration.ofMinutes(5);

    private final ClusterObjects objects;
    private final Passwords passwords;
    private final Map<PeerName, Answer> answers;
    private final Chores chores;
    private final Instant now;

    public AuthReader(ClusterObjects objects, Map<PeerName, Answer> answers, Chores chores, Instant now) {
        this.objects = objects;
        this.passwords = new Passwords(objects);
        this.answers = answers;
        this.chores = chores;
        this.now = now;
    }

    public AuthView read() {
        Optional<Problem> problem =
                denial().or(() -> passwords.complaint().map(why -> new Problem(Kind.PasswordMissing, why)));
        Optional<Chores.AccountsSeen> seen =
                chores.accounts().filter(accounts -> passwords.fingerprint().equals(Optional.of(accounts.wanted())));
        Optional<Instant> nextAt =
                seen.map(accounts -> accounts.at().plus(LOOK_AGAIN)).filter(now::isBefore);
        boolean look = passwords.wanted().isPresent() && nextAt.isEmpty();
        Optional<AccountPlan> plan =
                seen.flatMap(accounts -> passwords.wanted().map(wanted -> AccountPlan.of(wanted, accounts.book())));
        List<AccountOrder> orders = plan.map(AccountPlan::orders).orElse(List.of());
        boolean off = seen.filter(accounts -> !accounts.book().enabled()).isPresent();
        boolean over = off && !passwords.areWanted() && passwords.isRemembered();
        return new AuthView(
                passwords.due(), look, orders, over, problem, plan.flatMap(AuthReader::missingRoles), nextAt);
    }

    private static Optional<Problem> missingRoles(AccountPlan plan) {
        return plan.missingRoles().isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(
                        Kind.RoleMissing,
                        "Users of spec.auth are to have roles that are neither in spec.auth.roles nor in etcd (%s), and they get them once these are there; add them to spec.auth.roles, or mend the names"
                                .formatted(String.join(", ", plan.missingRoles()))));
    }

    /** One is enough: all members have the same users. */
    private Optional<Problem> denial() {
        return new TreeMap<>(answers)
                .entrySet().stream()
                        .filter(entry -> entry.getValue() instanceof Silent silent && silent.denied())
                        .findFirst()
                        .map(entry -> new Problem(
                                Kind.AccessDenied,
                                "%s %s; %s".formatted(entry.getKey(), why(entry.getValue()), advice())));
    }

    private static String why(Answer answer) {
        return answer instanceof Silent silent ? "refuses: " + silent.why() : "";
    }

    private String advice() {
        if (!passwords.areWanted()) {
            return "somebody has enabled authentication in etcd: put root's password into a Secret, under the key password,"
                    + " name that in spec.auth.rootSecret and set spec.auth.enabled: true";
        }
        return passwords
                .rootSecret()
                .map("put the password that root has in etcd into Secret %s, under the key password"::formatted)
                .orElseGet(() ->
                        "put the password that root has in etcd into a Secret, under the key password, and name that in spec.auth.rootSecret; the one in Secret %s is not root's any more"
                                .formatted(PasswordSecrets.root(Labels.keyOf(objects.cluster()))));
    }
}
