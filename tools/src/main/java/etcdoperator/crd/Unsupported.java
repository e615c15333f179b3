package etcdoperator.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;

/** Knows by the rules of a schema what it has but refuses, and says so where users look it up. */
final class Unsupported {
    private static final String NOTE = " Not supported by this release.";

    private Unsupported() {}

    static boolean field(JSONSchemaProps parent, String name) {
        return hasRule(parent, "!has(self." + name + ")");
    }

    static boolean kind(JSONSchemaProps root) {
        return hasRule(root, "false");
    }

    static void describe(JSONSchemaProps schema) {
        if (kind(schema)) {
            schema.setDescription(schema.getDescription() + NOTE);
        }
        schema.getProperties().forEach((name, field) -> {
            if (field(schema, name)) {
                field.setDescription(field.getDescription() + NOTE);
            }
        });
    }

    private static boolean hasRule(JSONSchemaProps schema, String rule) {
        return schema.getXKubernetesValidations().stream()
                .anyMatch(validation -> validation.getRule().equals(rule));
    }
}
