package etcdoperator.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Visits every named field of a schema, outermost first; items of a list and values of a map bear its name. */
final class SchemaWalk {
    private SchemaWalk() {}

    /** The field at this path, which must be there. */
    static JSONSchemaProps at(JSONSchemaProps root, String... path) {
        JSONSchemaProps schema = root;
        for (String name : path) {
            schema = Objects.requireNonNull(schema.getProperties().get(name), name);
        }
        return schema;
    }

    static void forEach(JSONSchemaProps root, BiConsumer<String, JSONSchemaProps> visitor) {
        visit("", root, visitor);
    }

    private static void visit(String name, JSONSchemaProps schema, BiConsumer<String, JSONSchemaProps> visitor) {
        visitor.accept(name, schema);
        schema.getProperties().forEach((child, childSchema) -> visit(child, childSchema, visitor));
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            visit(name + "[]", schema.getItems().getSchema(), visitor);
        }
        if (schema.getAdditionalProperties() != null
                && schema.getAdditionalProperties().getSchema() != null) {
            visit(name + "{}", schema.getAdditionalProperties().getSchema(), visitor);
        }
    }
}
