package etcdoperator.crd;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceSubresourceScale;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrdsTest {
    private final CustomResourceDefinition cluster = Crds.of(EtcdCluster.class);

    @Test
    void everyKindIsNamespacedAndServedInOneVersionWithStatus() {
        for (CustomResourceDefinition crd : Crds.all()) {
            assertThat(crd.getSpec().getScope()).isEqualTo("Namespaced");
            assertThat(crd.getSpec().getGroup()).isEqualTo("etcd.improbable.io");
            assertThat(crd.getSpec().getVersions()).singleElement().satisfies(version -> {
                assertThat(version.getName()).isEqualTo("v1alpha1");
                assertThat(version.getServed()).isTrue();
                assertThat(version.getStorage()).isTrue();
                assertThat(version.getSubresources().getStatus()).isNotNull();
            });
        }
    }

    @Test
    void aClusterIsCalledEtcdForShort() {
        assertThat(cluster.getSpec().getNames().getShortNames()).containsExactly("etcd");
        assertThat(cluster.getSpec().getNames().getPlural()).isEqualTo("etcdclusters");
    }

    @Test
    void columnsOfAClusterAnswerWhetherItIsWell() {
        assertThat(columns(cluster))
                .containsExactly(
                        "Version .spec.version",
                        "Ready .status.readyReplicas",
                        "Desired .spec.replicas",
                        "Leader .status.leader",
                        "Status .status.conditions[?(@.type==\"Available\")].reason",
                        "Age .metadata.creationTimestamp");
    }

    @Test
    void columnsOfAPeerSayWhereItIs() {
        assertThat(columns(Crds.of(EtcdPeer.class)))
                .containsExactly(
                        "Cluster .spec.clusterName",
                        "Phase .status.phase",
                        "Member .status.memberId",
                        "Version .status.serverVersion",
                        "Node .status.node",
                        "Age .metadata.creationTimestamp");
    }

    @Test
    void columnsOfABackupSayHowFarItIs() {
        assertThat(columns(Crds.of(EtcdBackup.class)))
                .startsWith(
                        "Cluster .spec.source.cluster",
                        "Phase .status.phase",
                        "Revision .status.revision",
                        "Bytes .status.sizeBytes",
                        "Completed .status.completionTime",
                        "Age .metadata.creationTimestamp");
    }

    @Test
    void columnsOfAScheduleSayWhetherBackupsAreTaken() {
        assertThat(columns(Crds.of(EtcdBackupSchedule.class)))
                .startsWith(
                        "Schedule .spec.schedule",
                        "Suspend .spec.suspend",
                        "Last schedule .status.lastScheduleTime",
                        "Last success .status.lastSuccessTime",
                        "Kept .status.kept",
                        "Age .metadata.creationTimestamp");
    }

    @Test
    void onlyAClusterScales() {
        CustomResourceSubresourceScale scale =
                version(cluster).getSubresources().getScale();
        assertThat(scale.getSpecReplicasPath()).isEqualTo(".spec.replicas");
        assertThat(scale.getStatusReplicasPath()).isEqualTo(".status.replicas");
        assertThat(scale.getLabelSelectorPath()).isEqualTo(".status.selector");
        Crds.all().stream()
                .filter(crd -> !crd.equals(cluster))
                .forEach(crd ->
                        assertThat(version(crd).getSubresources().getScale()).isNull());
    }

    @Test
    void listsThatAreMergedHaveKeys() {
        JSONSchemaProps status = root(cluster).getProperties().get("status");
        assertThat(status.getProperties().get("conditions").getXKubernetesListMapKeys())
                .containsExactly("type");
        assertThat(status.getProperties().get("members").getXKubernetesListMapKeys())
                .containsExactly("id");
    }

    @Test
    void aRestoreMayLeaveOutTheVersion() {
        JSONSchemaProps template = root(Crds.of(EtcdRestore.class))
                .getProperties()
                .get("spec")
                .getProperties()
                .get("clusterTemplate")
                .getProperties()
                .get("spec");
        assertThat(template.getRequired()).containsExactly("replicas", "storage");
    }

    @Test
    void everyFieldOfOursIsDescribed() {
        List<String> undescribed = new ArrayList<>();
        for (CustomResourceDefinition crd : Crds.all()) {
            collectUndescribed(crd.getSpec().getNames().getKind(), root(crd), undescribed);
        }
        assertThat(undescribed).isEmpty();
    }

    /** What is read into 64 bits here may be written with 64 bits there: a hash is unsigned, and revisions leap. */
    @Test
    void everyLongOfOursMayBeLong() {
        List<String> narrow = new ArrayList<>();
        for (Class<?> kind : List.of(
                EtcdCluster.class, EtcdPeer.class, EtcdBackup.class, EtcdBackupSchedule.class, EtcdRestore.class)) {
            Type[] parts = ((ParameterizedType) kind.getGenericSuperclass()).getActualTypeArguments();
            JSONSchemaProps schema = root(Crds.all().stream()
                    .filter(crd -> crd.getSpec().getNames().getKind().equals(kind.getSimpleName()))
                    .findFirst()
                    .orElseThrow());
            collectNarrow(
                    kind.getSimpleName() + ".spec",
                    parts[0],
                    schema.getProperties().get("spec"),
                    narrow);
            collectNarrow(
                    kind.getSimpleName() + ".status",
                    parts[1],
                    schema.getProperties().get("status"),
                    narrow);
        }
        assertThat(narrow).isEmpty();
    }

    private static void collectNarrow(String path, Type type, JSONSchemaProps schema, List<String> narrow) {
        if (type == Long.class || type == long.class) {
            if (!"int64".equals(schema.getFormat())) {
                narrow.add(path);
            }
        } else if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            collectNarrow(
                    path + "[]",
                    list.getActualTypeArguments()[0],
                    schema.getItems().getSchema(),
                    narrow);
        } else if (type instanceof Class<?> record && record.isRecord()) {
            for (RecordComponent component : record.getRecordComponents()) {
                JSONSchemaProps field = schema.getProperties().get(component.getName());
                if (field != null) {
                    collectNarrow(path + "." + component.getName(), component.getGenericType(), field, narrow);
                }
            }
        }
    }

    @Test
    void everyRuleSaysWhatIsWrongAndWhatToDo() {
        for (CustomResourceDefinition crd : Crds.all()) {
            SchemaWalk.forEach(
                    root(crd),
                    (name, schema) -> assertThat(schema.getXKubernetesValidations())
                            .doesNotHaveDuplicates()
                            .allSatisfy(rule -> assertThat(rule.getMessage()).contains(": ")));
        }
    }

    @Test
    void generatingTwiceGivesTheSameFiles(@TempDir Path first, @TempDir Path second) throws IOException {
        GenerateCrds.main(new String[] {first.toString()});
        GenerateCrds.main(new String[] {second.toString()});

        assertThat(Manifest.list(first))
                .extracting(file -> file.getFileName().toString())
                .containsExactly(
                        "etcd.improbable.io_etcdbackups.yaml",
                        "etcd.improbable.io_etcdbackupschedules.yaml",
                        "etcd.improbable.io_etcdclusters.yaml",
                        "etcd.improbable.io_etcdpeers.yaml",
                        "etcd.improbable.io_etcdrestores.yaml");
        for (Path file : Manifest.list(first)) {
            assertThat(second.resolve(file.getFileName())).hasSameTextualContentAs(file);
            assertThat(Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class))
                    .isNotNull();
        }
    }

    private static void collectUndescribed(String path, JSONSchemaProps schema, List<String> undescribed) {
        schema.getProperties().forEach((name, field) -> {
            if (field.getDescription() == null || field.getDescription().isBlank()) {
                undescribed.add(path + "." + name);
            }
            if (!FieldType.isOfKubernetes(name)) {
                collectUndescribed(path + "." + name, field, undescribed);
                if (FieldType.isList(field)) {
                    collectUndescribed(
                            path + "." + name + "[]", field.getItems().getSchema(), undescribed);
                }
            }
        });
    }

    private static List<String> columns(CustomResourceDefinition crd) {
        return version(crd).getAdditionalPrinterColumns().stream()
                .map((CustomResourceColumnDefinition column) -> column.getName() + " " + column.getJsonPath())
                .toList();
    }

    private static JSONSchemaProps root(CustomResourceDefinition crd) {
        return version(crd).getSchema().getOpenAPIV3Schema();
    }

    private static CustomResourceDefinitionVersion version(CustomResourceDefinition crd) {
        return crd.getSpec().getVersions().getFirst();
    }
}
