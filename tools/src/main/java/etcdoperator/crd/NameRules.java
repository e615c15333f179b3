package etcdoperator.crd;

import etcdoperator.api.rules.Names;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Names of other objects in types of Kubernetes, which the models of the Java client take as any text. */
final class NameRules {
    /** Fields that hold the name of an object, and the key in it where they have one. */
    private static final Set<String> REFERENCES = Set.of(
            "configMapKeyRef",
            "imagePullSecrets[]",
            "keySecretRef",
            "passwordSecret",
            "rootSecret",
            "secretKeyRef",
            "secretRef");

    /** Fields that are the name of an object. */
    private static final Set<String> NAMES =
            Set.of("storageClassName", "volumeAttributesClassName", "gmsaCredentialSpecName");

    private NameRules() {}

    static void add(String name, JSONSchemaProps schema) {
        if (NAMES.contains(name)) {
            limit(schema, Names.OBJECT_OR_NONE, Names.OBJECT_MESSAGE, Names.LONGEST_OBJECT);
        }
        if (REFERENCES.contains(name)) {
            // Where an empty name is wrong, another rule says so in better words.
            limit(SchemaWalk.at(schema, "name"), Names.OBJECT_OR_NONE, Names.OBJECT_MESSAGE, Names.LONGEST_OBJECT);
            JSONSchemaProps key = schema.getProperties().get("key");
            if (key != null) {
                limit(key, Names.KEY, Names.KEY_MESSAGE, Names.LONGEST_KEY);
            }
        }
    }

    private static void limit(JSONSchemaProps schema, String rule, String message, int longest) {
        List<ValidationRule> rules = new ArrayList<>(schema.getXKubernetesValidations());
        rules.add(
                new ValidationRuleBuilder().withRule(rule).withMessage(message).build());
        schema.setXKubernetesValidations(rules);
        schema.setMaxLength((long) longest);
    }

    /**
     * For objects that the operator makes from what users wrote. What users must not write any more may be in objects
     * that are older than the rule, and their members are still to be healed.
     */
    static void forget(String name, JSONSchemaProps schema) {
        schema.setXKubernetesValidations(schema.getXKubernetesValidations().stream()
                .filter(rule -> !Names.RULES.contains(rule.getRule()))
                .toList());
        if (name.equals("imagePullSecrets")) {
            schema.setMaxItems(null);
        }
    }
}
