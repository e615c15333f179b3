package etcdoperator.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes docs/reference.md: every field of the five kinds, from the CRDs. */
public final class FieldReference {
    static final Path FILE = Path.of("docs/reference.md");

    private final StringBuilder page = new StringBuilder();

    private FieldReference() {}

    public static void main(String[] args) throws IOException {
        Files.createDirectories(FILE.getParent());
        Files.writeString(FILE, text());
    }

    static String text() {
        FieldReference reference = new FieldReference();
        reference.page.append("""
                # Field reference: `etcd.improbable.io/v1alpha1`

                Generated from the Java types by `make reference`; do not edit.
                Fields in **bold** are required. Types with a link are those of Kubernetes itself.
                """);
        Crds.all().forEach(reference::kind);
        return reference.page.toString();
    }

    private void kind(CustomResourceDefinition crd) {
        JSONSchemaProps root =
                crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
        page.append("\n## ").append(crd.getSpec().getNames().getKind()).append("\n\n");
        page.append(root.getDescription()).append('\n');
        if (Unsupported.kind(root)) {
            return;
        }
        Set<String> rules = new LinkedHashSet<>();
        SchemaWalk.forEach(
                root,
                (name, schema) -> schema.getXKubernetesValidations().forEach(rule -> rules.add(rule.getMessage())));
        for (String part : List.of("spec", "status")) {
            page.append("\n### ").append(part).append("\n\n| field | type | description |\n|---|---|---|\n");
            fields("", SchemaWalk.at(root, part));
        }
        // Messages are written for the person whose manifest was refused, and read as well beforehand.
        page.append("\n### What the API server refuses\n\n");
        rules.forEach(rule -> page.append("- ").append(rule).append('\n'));
    }

    private void fields(String prefix, JSONSchemaProps schema) {
        mostImportantFirst(schema).forEach(name -> {
            JSONSchemaProps field = SchemaWalk.at(schema, name);
            String path = prefix + name;
            boolean required = schema.getRequired().contains(name);
            page.append("| ")
                    .append(required ? "**`" + path + "`**" : "`" + path + "`")
                    .append(" | ")
                    .append(FieldType.of(name, field))
                    .append(" | ")
                    .append(description(field))
                    .append(" |\n");
            if (!FieldType.isOfKubernetes(name) && !Unsupported.field(schema, name)) {
                fields(path + ".", field);
                if (FieldType.isList(field)) {
                    fields(path + "[].", field.getItems().getSchema());
                }
            }
        });
    }

    private static List<String> mostImportantFirst(JSONSchemaProps schema) {
        return schema.getProperties().keySet().stream()
                .sorted(Comparator.comparing(
                                (String name) -> !schema.getRequired().contains(name))
                        .thenComparing(name -> Unsupported.field(schema, name))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static String description(JSONSchemaProps field) {
        StringBuilder text = new StringBuilder(field.getDescription());
        if (!field.getEnum().isEmpty()) {
            text.append(field.getEnum().stream()
                    .map(value -> "`" + value.asText() + "`")
                    .collect(Collectors.joining(", ", " One of ", ".")));
        }
        if (field.getDefault() != null) {
            text.append(" Default: `").append(field.getDefault().asText()).append("`.");
        }
        return text.toString().replace("|", "\\|").replace("{", "`{").replace("}", "}`");
    }
}
