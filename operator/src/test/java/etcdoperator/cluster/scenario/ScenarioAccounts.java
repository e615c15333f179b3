package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.cluster.view.AuthView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.Keys;
import etcdoperator.domain.Permission;
import etcdoperator.etcd.AccountOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads what {@code auth:} says in {@code view.yaml}. */
final class ScenarioAccounts {
    private ScenarioAccounts() {}

    static AuthView read(JsonNode auth) {
        SortedMap<String, String> due = new TreeMap<>();
        auth.path("due")
                .properties()
                .forEach(secret -> due.put(secret.getKey(), secret.getValue().asText()));
        return new AuthView(
                due,
                auth.path("look").asBoolean(),
                ScenarioView.texts(auth.path("orders")).stream()
                        .map(ScenarioAccounts::order)
                        .toList(),
                auth.path("over").asBoolean(),
                Words.of(auth, "none").problem(),
                Optional.ofNullable(auth.get("remark")).map(JsonNode::asText).map(ScenarioAccounts::remark),
                Optional.ofNullable(auth.get("nextIn"))
                        .map(span -> ScenarioView.NOW.plus(Duration.parse(span.asText()))));
    }

    private static Problem remark(String words) {
        String[] parts = words.split(" ", 2);
        return new Problem(Problem.Kind.valueOf(parts[0]), parts[1]);
    }

    private static AccountOrder order(String words) {
        String[] parts = words.split(" ");
        return switch (parts[0]) {
            case "AddRole" -> new AccountOrder.AddRole(parts[1]);
            case "AddUser" -> new AccountOrder.AddUser(parts[1], Optional.of("secret"));
            case "ChangePassword" -> new AccountOrder.ChangePassword(parts[1], "secret");
            case "DeleteUser" -> new AccountOrder.DeleteUser(parts[1]);
            case "GrantRole" -> new AccountOrder.GrantRole(parts[1], parts[2]);
            case "RevokeRole" -> new AccountOrder.RevokeRole(parts[1], parts[2]);
            case "Grant" ->
                new AccountOrder.Grant(
                        parts[1], new Permission(new Keys.Under(parts[2]), Permission.Access.READ_WRITE));
            case "Revoke" -> new AccountOrder.Revoke(parts[1], new Keys.Under(parts[2]));
            case "Enable" -> new AccountOrder.Enable();
            case "Disable" -> new AccountOrder.Disable();
            default -> throw ScenarioView.strange("order", words, "those of AccountOrder");
        };
    }
}
