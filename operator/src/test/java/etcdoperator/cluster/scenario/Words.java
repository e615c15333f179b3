package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import etcdoperator.cluster.view.Problem;
import java.util.List;
import java.util.Optional;

/** A description in a scenario: one word such as {@code held}, or a map where one word does not say enough. */
public record Words(JsonNode map) {
    /** @param shortFor the key that a single word stands for */
    public static Words of(JsonNode node, String shortFor) {
        if (node.isObject() || node.isMissingNode()) {
            return new Words(node);
        }
        ObjectNode map = JsonNodeFactory.instance.objectNode();
        map.set(shortFor, node);
        return new Words(map);
    }

    static JsonNode word(String word) {
        return TextNode.valueOf(word);
    }

    public Optional<String> text(String key) {
        return Optional.of(map.path(key))
                .filter(value -> !value.isMissingNode())
                .map(JsonNode::asText);
    }

    public List<String> texts(String key) {
        return map.path(key).valueStream().map(JsonNode::asText).toList();
    }

    public boolean is(String key) {
        return map.path(key).asBoolean(false);
    }

    /** Written as {@code KIND message}. */
    Optional<Problem> problem() {
        return text("problem")
                .map(text -> text.split(" ", 2))
                .map(parts -> new Problem(Problem.Kind.valueOf(parts[0]), parts[1]));
    }
}
