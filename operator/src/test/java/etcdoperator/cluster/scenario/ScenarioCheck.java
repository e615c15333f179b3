package etcdoperator.cluster.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Compares what came of a scenario with what its folder says. */
public final class ScenarioCheck {
    private final ScenarioFolder folder;
    private final List<String> differences = new ArrayList<>();

    private ScenarioCheck(ScenarioFolder folder) {
        this.folder = folder;
    }

    /** @param lines of the optional files, by their name without the ending */
    public static void check(ScenarioFolder folder, JsonNode step, JsonNode status, Map<String, JsonNode> lines) {
        var check = new ScenarioCheck(folder);
        check.add("step", Expectation::differencesOfStep, folder.expected("step.yaml"), step);
        check.add("status", Expectation::differences, folder.expected("status.yaml"), status);
        lines.forEach((file, came) -> folder.optional(file + ".yaml")
                .ifPresent(expected -> check.add(file, Expectation::differencesOfLines, expected, came)));
        assertThat(check.differences)
                .withFailMessage(() -> "%s%n  why: %s%n  %s%n%nstep: %s%n%nstatus: %s"
                        .formatted(
                                folder.folder(),
                                folder.why(),
                                String.join("\n  ", check.differences),
                                step.toPrettyString(),
                                status.toPrettyString()))
                .isEmpty();
    }

    /** Each condition by its type, in one line, as {@code STATUS REASON message}. */
    public static JsonNode status(Object status) {
        ObjectNode words = tree(status);
        JsonNode conditions = words.remove("conditions");
        for (JsonNode condition : conditions == null ? List.<JsonNode>of() : conditions) {
            words.put(
                    condition.path("type").asText(),
                    "%s %s %s"
                            .formatted(
                                    condition.path("status").asText(),
                                    condition.path("reason").asText(),
                                    condition.path("message").asText()));
        }
        return words;
    }

    /** The other way round: a status that says its conditions in one line each. */
    public static JsonNode withConditions(JsonNode status) {
        if (!status.isObject()) {
            return status;
        }
        ObjectNode full = status.deepCopy();
        ArrayNode conditions = JsonNodeFactory.instance.arrayNode();
        status.properties().stream()
                .filter(field -> Character.isUpperCase(field.getKey().charAt(0)))
                .forEach(field -> {
                    full.remove(field.getKey());
                    conditions.add(tree(ScenarioStatus.condition(field.getKey(), field.getValue())
                            .orElseThrow()));
                });
        full.set("conditions", conditions);
        return full;
    }

    public static JsonNode notices(Stream<Notice> notices) {
        return Serialization.jsonMapper()
                .valueToTree(
                        notices.map(notice -> notice.type().word() + " " + notice.reason() + " " + notice.message())
                                .toList());
    }

    private static ObjectNode tree(Object value) {
        return Serialization.jsonMapper().valueToTree(value);
    }

    private void add(
            String what, BiFunction<JsonNode, JsonNode, List<String>> compare, JsonNode expected, JsonNode came) {
        compare.apply(expected, came).forEach(difference -> differences.add(what + " " + difference));
    }
}
