package io.improbable.etcd.cluster;

import io.improbable.etcd.cluster.Problem.Kind;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.etcd.AccountOrder;
import io.improbable.etcd.etcd.Answer;
import io.improbable.etcd.etcd.Answer.Silent;
import io.improbable.etcd.kube.ClusterObjects;
import io.improbable.etcd.manifest.Labels;
import io.improbable.etcd.manifest.PasswordSecrets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes of Secrets, answers and what was read of etcd's users what the planner sees of authentication. Pure. */
final class AuthReader {
    private final ClusterObjects objects;
    private final Passwords passwords;
    private final Map<PeerName, Answer> answers;
    private final Chores chores;

    AuthReader(ClusterObjects objects, Map<PeerName, Answer> answers, Chores chores) {
        this.objects = objects;
        this.passwords = new Passwords(objects);
        this.answers = answers;
        this.chores = chores;
    }

    AuthView read() {
        Optional<Problem> problem =
                denial().or(() -> passwords.complaint().map(why -> new Problem(Kind.PasswordMissing, why)));
        Optional<Chores.AccountsSeen> seen =
                chores.accounts().filter(accounts -> passwords.fingerprint().equals(Optional.of(accounts.wanted())));
        boolean look = passwords.wanted().isPresent() && seen.isEmpty();
        List<AccountOrder> orders = seen.flatMap(accounts -> passwords
                        .wanted()
                        .map(wanted -> AccountPlan.of(wanted, accounts.book()).orders()))
                .orElse(List.of());
        boolean off = seen.filter(accounts -> !accounts.book().enabled()).isPresent();
        boolean over = off && !passwords.areWanted() && passwords.isRemembered();
        return new AuthView(passwords.due(), look, orders, over, problem);
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
