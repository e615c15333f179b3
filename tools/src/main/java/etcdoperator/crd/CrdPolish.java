package etcdoperator.crd;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import etcdoperator.api.EtcdRestore;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Adds to a generated CRD what annotations cannot say. */
final class CrdPolish {
    private CrdPolish() {}

    static CustomResourceDefinition of(Class<? extends CustomResource<?, ?>> kind, CustomResourceDefinition crd) {
        CustomResourceDefinitionVersion version = crd.getSpec().getVersions().getFirst();
        orderColumns(kind, version);
        JSONSchemaProps root = version.getSchema().getOpenAPIV3Schema();
        describe(kind, root);
        root.setRequired(List.of("spec"));
        SchemaWalk.forEach(root, CrdPolish::removeDoubleRules);
        SchemaWalk.forEach(root, (name, schema) -> Unsupported.describe(schema));
        SchemaWalk.forEach(root, KubernetesTypes::tighten);
        SchemaWalk.forEach(root, CrdPolish::keyLists);
        SchemaWalk.forEach(root, CrdPolish::defaultAccessModes);
        SchemaWalk.forEach(root, CrdPolish::keepOpaque);
        if (kind == EtcdRestore.class) {
            allowRestoreWithoutVersion(root);
            forgetChanges(SchemaWalk.at(root, "spec", "clusterTemplate"));
            // The generator takes the replicas of the template for those of the restore.
            version.getSubresources().setScale(null);
        }
        return crd;
    }

    /** The generator sorts columns by path; users read them in the order of the annotations. */
    private static void orderColumns(Class<?> kind, CustomResourceDefinitionVersion version) {
        List<String> names = Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::name)
                .toList();
        version.setAdditionalPrinterColumns(version.getAdditionalPrinterColumns().stream()
                .sorted(Comparator.comparingInt((CustomResourceColumnDefinition c) -> names.indexOf(c.getName())))
                .toList());
    }

    private static void describe(Class<?> kind, JSONSchemaProps root) {
        root.setDescription(kind.getAnnotation(JsonClassDescription.class).value());
        SchemaWalk.at(root, "spec").setDescription("What is asked for.");
        SchemaWalk.at(root, "status")
                .setDescription("What the operator last saw. It is written by the operator alone.");
    }

    /** A rule on a record component is found twice, on its field and on its accessor. */
    private static void removeDoubleRules(String name, JSONSchemaProps schema) {
        schema.setXKubernetesValidations(List.copyOf(new LinkedHashSet<>(schema.getXKubernetesValidations())));
    }

    private static void keyLists(String name, JSONSchemaProps schema) {
        listKey(name).ifPresent(key -> {
            schema.setXKubernetesListType("map");
            schema.setXKubernetesListMapKeys(List.of(key));
        });
    }

    /** With a key, server-side apply merges such a list entry by entry, and doubles are refused. */
    private static Optional<String> listKey(String listName) {
        return switch (listName) {
            case "conditions" -> Optional.of("type");
            case "members" -> Optional.of("id");
            case "env" -> Optional.of("name");
            default -> Optional.empty();
        };
    }

    private static void defaultAccessModes(String name, JSONSchemaProps schema) {
        if (name.equals("accessModes")) {
            schema.setDefault(JsonNodeFactory.instance.arrayNode().add("ReadWriteOnce"));
            schema.setMinItems(1L);
        }
    }

    /** Whatever is in such a field is kept as it is; the generator would only take objects. */
    private static void keepOpaque(String name, JSONSchemaProps schema) {
        if (Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields())) {
            schema.setAdditionalProperties(null);
        }
    }

    /** A template is never changed, so that one sentence says all of it. */
    private static void forgetChanges(JSONSchemaProps template) {
        SchemaWalk.forEach(
                template,
                (name, schema) -> schema.setXKubernetesValidations(schema.getXKubernetesValidations().stream()
                        .filter(rule -> !rule.getRule().contains("oldSelf"))
                        .toList()));
    }

    /** The version recorded with the backup stands in for it. */
    private static void allowRestoreWithoutVersion(JSONSchemaProps root) {
        JSONSchemaProps clusterSpec = SchemaWalk.at(root, "spec", "clusterTemplate", "spec");
        clusterSpec.setRequired(clusterSpec.getRequired().stream()
                .filter(field -> !field.equals("version"))
                .toList());
    }
}
