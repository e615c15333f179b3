package etcdoperator.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.Map;

/** How the field reference names the type of a field. */
final class FieldType {
    private static final String API = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.36/#";

    /** Fields with a type of Kubernetes itself, which its own reference describes. */
    private static final Map<String, String> OF_KUBERNETES = Map.ofEntries(
            Map.entry("affinity", link("Affinity", "affinity-v1-core")),
            Map.entry("conditions", "list of " + link("Condition", "condition-v1-meta")),
            Map.entry("env", "list of " + link("EnvVar", "envvar-v1-core")),
            Map.entry("imagePullSecrets", "list of " + link("LocalObjectReference", "localobjectreference-v1-core")),
            Map.entry("keySecretRef", link("SecretKeySelector", "secretkeyselector-v1-core")),
            Map.entry("passwordSecret", link("LocalObjectReference", "localobjectreference-v1-core")),
            Map.entry("resources", link("ResourceRequirements", "resourcerequirements-v1-core")),
            Map.entry("rootSecret", link("LocalObjectReference", "localobjectreference-v1-core")),
            Map.entry("secretKeyRef", link("SecretKeySelector", "secretkeyselector-v1-core")),
            Map.entry("secretRef", link("LocalObjectReference", "localobjectreference-v1-core")),
            Map.entry("securityContext", link("PodSecurityContext", "podsecuritycontext-v1-core")),
            Map.entry("tolerations", "list of " + link("Toleration", "toleration-v1-core")),
            Map.entry(
                    "topologySpreadConstraints",
                    "list of " + link("TopologySpreadConstraint", "topologyspreadconstraint-v1-core")),
            Map.entry("volumeClaimTemplate", link("PersistentVolumeClaimSpec", "persistentvolumeclaimspec-v1-core")));

    private FieldType() {}

    static boolean isOfKubernetes(String fieldName) {
        return OF_KUBERNETES.containsKey(fieldName);
    }

    static boolean isList(JSONSchemaProps field) {
        return "array".equals(field.getType());
    }

    static String of(String name, JSONSchemaProps field) {
        String ofKubernetes = OF_KUBERNETES.get(name);
        if (ofKubernetes != null) {
            return ofKubernetes;
        }
        if (isList(field)) {
            return "list of " + of("", field.getItems().getSchema()) + "s";
        }
        if (field.getAdditionalProperties() != null) {
            return "map of " + of("", field.getAdditionalProperties().getSchema()) + "s";
        }
        return "date-time".equals(field.getFormat()) ? "time" : field.getType();
    }

    private static String link(String type, String anchor) {
        return "[" + type + "](" + API + anchor + ")";
    }
}
