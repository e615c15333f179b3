package etcdoperator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Every field of a schema, and what may be written there: right or wrong, as long as the type is that of the schema. */
final class Fields {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String ITEM = "[]";
    private static final String VALUE = "{}";

    /** Each is wrong as a name, a time, a number, a URL, a path or a schedule. */
    private static final List<String> WRONG = List.of("a=b", "", "$(HOME)/../ü\n", "9".repeat(300));

    private Fields() {}

    /**
     * One field, by the names on the way to it; items of lists and values of maps are steps of their own.
     *
     * @param required whether the object that it is in must have it
     */
    record Field(List<String> path, JSONSchemaProps schema, boolean required) {
        @Override
        public String toString() {
            return String.join(".", path);
        }

        /** All that is worth writing there. */
        List<JsonNode> values() {
            // The Java types leave out what is empty, which is as good as absent.
            return Fields.values(schema).stream()
                    .filter(value ->
                            !required || !value.isTextual() || !value.asText().isEmpty())
                    .toList();
        }

        /** The object with this value in this field, and whatever the schema requires on the way to it. */
        ObjectNode in(ObjectNode object, JSONSchemaProps root, JsonNode value) {
            ObjectNode copy = object.deepCopy();
            put(copy, root, path, value);
            return copy;
        }

        /** The object without this field. */
        ObjectNode removedFrom(ObjectNode object) {
            ObjectNode copy = object.deepCopy();
            JsonNode parent = copy;
            for (String step : path.subList(0, path.size() - 1)) {
                parent = step.equals(ITEM) ? parent.path(0) : parent.path(step);
            }
            if (parent instanceof ObjectNode found) {
                found.remove(path.getLast());
            }
            return copy;
        }
    }

    static Stream<Field> of(JSONSchemaProps root) {
        List<Field> found = new ArrayList<>();
        collect(List.of(), root, true, found);
        return found.stream();
    }

    private static void collect(List<String> path, JSONSchemaProps schema, boolean required, List<Field> found) {
        if (!path.isEmpty()) {
            found.add(new Field(path, schema, required));
        }
        schema.getProperties()
                .forEach((name, field) ->
                        collect(with(path, name), field, schema.getRequired().contains(name), found));
        items(schema).ifPresent(items -> collect(with(path, ITEM), items, true, found));
        mapValues(schema).ifPresent(values -> collect(with(path, VALUE), values, true, found));
    }

    private static List<String> with(List<String> path, String step) {
        List<String> longer = new ArrayList<>(path);
        longer.add(step);
        return List.copyOf(longer);
    }

    private static Optional<JSONSchemaProps> items(JSONSchemaProps schema) {
        return schema.getItems() == null
                ? Optional.empty()
                : Optional.ofNullable(schema.getItems().getSchema());
    }

    private static Optional<JSONSchemaProps> mapValues(JSONSchemaProps schema) {
        return schema.getAdditionalProperties() == null
                ? Optional.empty()
                : Optional.ofNullable(schema.getAdditionalProperties().getSchema());
    }

    private static List<JsonNode> values(JSONSchemaProps schema) {
        if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
            return List.copyOf(schema.getEnum());
        }
        if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
            return List.of(JSON.numberNode(0), JSON.textNode("-1"), JSON.textNode("9999999Ei"), JSON.textNode("1n"));
        }
        return switch (String.valueOf(schema.getType())) {
            case "string" -> WRONG.stream().<JsonNode>map(JSON::textNode).toList();
            case "boolean" -> List.of(JSON.booleanNode(true), JSON.booleanNode(false));
            case "integer" -> {
                boolean wide = "int64".equals(schema.getFormat());
                long most = wide ? Long.MAX_VALUE : Integer.MAX_VALUE;
                yield List.of(
                        JSON.numberNode(0), JSON.numberNode(-1), JSON.numberNode(most), JSON.numberNode(-most - 1));
            }
            case "array" -> List.of(JSON.arrayNode());
            default -> List.of(usual(schema));
        };
    }

    private static void put(ObjectNode object, JSONSchemaProps schema, List<String> path, JsonNode value) {
        String step = path.getFirst();
        List<String> rest = path.subList(1, path.size());
        if (step.equals(VALUE)) {
            object.set(
                    "a/b=c", rest.isEmpty() ? value : filled(mapValues(schema).orElseThrow(), rest, value));
            return;
        }
        JSONSchemaProps next = schema.getProperties().get(step);
        if (rest.isEmpty()) {
            object.set(step, value);
        } else if (object.get(step) instanceof ObjectNode present
                && !rest.getFirst().equals(ITEM)) {
            put(present, next, rest, value);
        } else {
            object.set(step, filled(next, rest, value));
        }
    }

    /** An object or a list made for the sake of what is in it. */
    private static JsonNode filled(JSONSchemaProps schema, List<String> path, JsonNode value) {
        if (path.getFirst().equals(ITEM)) {
            ArrayNode list = JSON.arrayNode();
            List<String> rest = path.subList(1, path.size());
            list.add(rest.isEmpty() ? value : filled(items(schema).orElseThrow(), rest, value));
            return list;
        }
        ObjectNode object = JSON.objectNode();
        schema.getRequired()
                .forEach(name -> object.set(name, usual(schema.getProperties().get(name))));
        put(object, schema, path, value);
        return object;
    }

    /** Something that fits. */
    private static JsonNode usual(JSONSchemaProps schema) {
        if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
            return schema.getEnum().getFirst();
        }
        if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
            return JSON.textNode("1");
        }
        return switch (String.valueOf(schema.getType())) {
            case "string" -> JSON.textNode("x");
            case "boolean" -> JSON.booleanNode(true);
            case "integer" -> JSON.numberNode(1);
            case "array" -> JSON.arrayNode();
            default -> {
                ObjectNode object = JSON.objectNode();
                schema.getRequired()
                        .forEach(name ->
                                object.set(name, usual(schema.getProperties().get(name))));
                yield object;
            }
        };
    }
}
