package etcdoperator.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Kubernetes itself demands of its types, and the models of the Java client do not say. Without it the API server
 * would take objects here that it refuses in a pod later, or that the operator cannot even read.
 */
final class KubernetesTypes {
    private static final String QUANTITY =
            "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

    private static final Map<String, List<String>> REQUIRED = Map.ofEntries(
            Map.entry("conditions[]", List.of("lastTransitionTime", "message", "reason", "status", "type")),
            Map.entry("env[]", List.of("name")),
            Map.entry("configMapKeyRef", List.of("key")),
            Map.entry("secretKeyRef", List.of("key")),
            Map.entry("keySecretRef", List.of("key")),
            Map.entry("fieldRef", List.of("fieldPath")),
            Map.entry("fileKeyRef", List.of("key", "path", "volumeName")),
            Map.entry("resourceFieldRef", List.of("resource")),
            Map.entry("matchExpressions[]", List.of("key", "operator")),
            Map.entry("matchFields[]", List.of("key", "operator")),
            Map.entry("podAffinityTerm", List.of("topologyKey")),
            Map.entry("topologySpreadConstraints[]", List.of("maxSkew", "topologyKey", "whenUnsatisfiable")),
            Map.entry("dataSource", List.of("kind", "name")),
            Map.entry("dataSourceRef", List.of("kind", "name")),
            Map.entry("claims[]", List.of("name")),
            Map.entry("sysctls[]", List.of("name", "value")));

    private static final Map<String, List<String>> WORDS = Map.of(
            "accessModes[]", List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"),
            "effect", List.of("NoExecute", "NoSchedule", "PreferNoSchedule"),
            "volumeMode", List.of("Block", "Filesystem"),
            "whenUnsatisfiable", List.of("DoNotSchedule", "ScheduleAnyway"));

    /** Whole numbers of 64 bits; all others have 32 in the Java types, and more would not be readable. */
    private static final Set<String> LONGS = Set.of(
            "compactRevision",
            "dbSizeBytes",
            "fsGroup",
            "hashKV",
            "keys",
            "observedGeneration",
            "quotaBackendBytes",
            "revision",
            "runAsGroup",
            "runAsUser",
            "sizeBytes",
            "snapshotCount",
            "supplementalGroups[]",
            "tolerationSeconds",
            "transferredBytes");

    private KubernetesTypes() {}

    static void tighten(String name, JSONSchemaProps schema) {
        if (REQUIRED.containsKey(name)) {
            schema.setRequired(REQUIRED.get(name));
        }
        if (name.equals("labels{}")) {
            schema.setMaxLength(63L);
        }
        if (name.equals("extraArgs{}")) {
            schema.setMaxLength(1024L);
        }
        if (WORDS.containsKey(name)) {
            schema.setEnum(WORDS.get(name).stream()
                    .map(JsonNodeFactory.instance::textNode)
                    .map(JsonNode.class::cast)
                    .toList());
        }
        if (name.equals("preferredDuringSchedulingIgnoredDuringExecution[]")) {
            boolean ofNodes = schema.getProperties().containsKey("preference");
            schema.setRequired(List.of(ofNodes ? "preference" : "podAffinityTerm", "weight"));
        }
        if (name.equals("requiredDuringSchedulingIgnoredDuringExecution[]")) {
            schema.setRequired(List.of("topologyKey"));
        }
        if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
            schema.setPattern(QUANTITY);
        }
        if ("integer".equals(schema.getType())) {
            schema.setFormat(LONGS.contains(name) ? "int64" : "int32");
        }
    }
}
