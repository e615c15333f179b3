package etcdoperator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the CRDs against a real API server, given by KUBECONFIG: what it takes, what it refuses, and in which words. */
class ApiServerIT {
    private static final KubernetesClient client = new KubernetesClientBuilder().build();
    private static final String namespace =
            "crd-test-" + UUID.randomUUID().toString().substring(0, 8);

    @BeforeAll
    static void applyCrds() {
        List<CustomResourceDefinition> crds = Crds.all();
        crds.forEach(crd -> client.resource(crd)
                .fieldManager("etcd-operator-crds")
                .forceConflicts()
                .serverSideApply());
        crds.forEach(crd -> client.resource(crd).waitUntilCondition(ApiServerIT::isServed, 30, TimeUnit.SECONDS));
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    private static boolean isServed(CustomResourceDefinition crd) {
        return crd != null
                && crd.getStatus() != null
                && crd.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Established")
                                && c.getStatus().equals("True"));
    }

    @AfterEach
    void deleteObjects() {
        for (Class<? extends HasMetadata> kind : Crds.KINDS) {
            client.resources(kind).inNamespace(namespace).delete();
        }
    }

    @AfterAll
    static void deleteNamespace() {
        client.namespaces().withName(namespace).delete();
        client.close();
    }

    static Stream<Path> valid() {
        return Stream.concat(
                Manifest.list(Manifest.FOLDER.resolve("valid")).stream(),
                Manifest.list(Path.of("config/samples")).stream());
    }

    @ParameterizedTest
    @MethodSource
    void valid(Path file) {
        Manifest manifest = Manifest.read(file);

        GenericKubernetesResource stored = strictDryRun(manifest).create();

        JsonNode json = asJson(stored);
        for (Manifest.Stored expected : manifest.stored()) {
            assertThat(json.at(expected.pointer())).as(expected.pointer()).isEqualTo(expected.value());
        }
        assertThat(scalarsAsText(throughJavaTypes(stored).get("spec")))
                .as("what the operator reads is all that was stored")
                .isEqualTo(scalarsAsText(json.get("spec")));
    }

    static Stream<Path> invalid() {
        return Manifest.list(Manifest.FOLDER.resolve("invalid")).stream();
    }

    @ParameterizedTest
    @MethodSource
    void invalid(Path file) {
        Manifest manifest = Manifest.read(file);

        assertRefused(() -> strictDryRun(manifest).create(), manifest.refusal());
    }

    static Stream<Path> invalidChange() {
        return Manifest.list(Manifest.FOLDER.resolve("invalid-change")).stream();
    }

    @ParameterizedTest
    @MethodSource
    void invalidChange(Path folder) {
        Manifest after = Manifest.read(folder.resolve("after.yaml"));
        on(Manifest.read(folder.resolve("before.yaml"))).serverSideApply();

        assertRefused(() -> strictDryRun(after).serverSideApply(), after.refusal());
    }

    static Stream<Path> validChange() {
        return Manifest.list(Manifest.FOLDER.resolve("valid-change")).stream();
    }

    @ParameterizedTest
    @MethodSource
    void validChange(Path folder) {
        on(Manifest.read(folder.resolve("before.yaml"))).serverSideApply();

        strictDryRun(Manifest.read(folder.resolve("after.yaml"))).serverSideApply();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/version-path.csv", delimiter = '|', useHeadersInDisplayName = true)
    void versionsFollowThePath(String from, String to, @Nullable String refusal) {
        on(ofVersion(from)).serverSideApply();

        if (refusal == null) {
            strictDryRun(ofVersion(to)).serverSideApply();
        } else {
            assertRefused(() -> strictDryRun(ofVersion(to)).serverSideApply(), refusal);
        }
    }

    @Test
    void anUnfinishedUpgradeMayBeTakenBack() {
        on(ofVersion("3.5.35")).serverSideApply();

        patchStatus(EtcdCluster.class, "my-cluster", Map.of("clusterVersion", "3.4.0"), List.of());
        strictDryRun(ofVersion("3.4.23")).serverSideApply();

        patchStatus(EtcdCluster.class, "my-cluster", Map.of("clusterVersion", "3.5.0"), List.of());
        assertRefused(
                () -> strictDryRun(ofVersion("3.4.23")).serverSideApply(), "3.5.35 cannot go down to 3.4.23, because");
    }

    @Test
    void scaleChangesTheSize() {
        on(Manifest.read(Manifest.FOLDER.resolve("valid/replicas-zero.yaml"))).create();
        Resource<EtcdCluster> cluster =
                client.resources(EtcdCluster.class).inNamespace(namespace).withName("my-cluster");

        cluster.scale(1);
        assertThat(cluster.get().getSpec().replicas()).isEqualTo(1);
        assertRefused(() -> cluster.scale(-1), "spec.replicas");
    }

    @Test
    void aFullStatusOfAClusterIsStoredAsWritten() {
        on(Manifest.read(Manifest.FOLDER.resolve("valid/replicas-zero.yaml"))).create();

        EtcdCluster stored = dryRunStatus(EtcdCluster.class, "my-cluster", StatusExamples.CLUSTER);

        assertThat(stored.getStatus()).isEqualTo(StatusExamples.CLUSTER);
    }

    @Test
    void aFullStatusOfAPeerIsStoredAsWritten() {
        on(Manifest.read(Manifest.FOLDER.resolve("valid/peer-existing.yaml"))).create();

        EtcdPeer stored = dryRunStatus(EtcdPeer.class, "my-cluster-0", StatusExamples.PEER);

        assertThat(stored.getStatus()).isEqualTo(StatusExamples.PEER);
    }

    @Test
    void deletingNeedsNothingValid() {
        on(Manifest.read(Manifest.FOLDER.resolve("valid/replicas-zero.yaml"))).create();
        Resource<EtcdCluster> cluster =
                client.resources(EtcdCluster.class).inNamespace(namespace).withName("my-cluster");

        cluster.delete();

        assertThat(cluster.get()).isNull();
    }

    private static Resource<GenericKubernetesResource> on(Manifest manifest) {
        return client.resource(manifest.resource()).inNamespace(namespace);
    }

    private static Manifest ofVersion(String version) {
        Manifest sleeping = Manifest.read(Manifest.FOLDER.resolve("valid/replicas-zero.yaml"));
        return new Manifest(sleeping.file(), sleeping.text().replace("version: 3.6.16", "version: " + version));
    }

    /** As strict as kubectl is: a misspelt field is refused, not dropped. */
    private static NonDeletingOperation<GenericKubernetesResource> strictDryRun(Manifest manifest) {
        return on(manifest).dryRun().fieldValidation(Validation.STRICT);
    }

    private static <T extends HasMetadata> T dryRunStatus(Class<T> kind, String name, Object status) {
        return patchStatus(kind, name, status, List.of("All"));
    }

    /** A merge patch, as an operator that watches may write the status meanwhile. */
    private static <T extends HasMetadata> T patchStatus(
            Class<T> kind, String name, Object status, List<String> dryRun) {
        PatchContext patch = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withDryRun(dryRun)
                .build();
        return client.resources(kind)
                .inNamespace(namespace)
                .withName(name)
                .subresource("status")
                .patch(patch, client.getKubernetesSerialization().asJson(Map.of("status", status)));
    }

    private static void assertRefused(Runnable request, String message) {
        KubernetesClientException refusal = catchThrowableOfType(KubernetesClientException.class, request::run);
        assertThat(refusal).as("the API server must refuse it: %s", message).isNotNull();
        assertThat(refusal.getCode()).isIn(400, 422);
        assertThat(refusal.getMessage()).contains(message);
    }

    private static JsonNode throughJavaTypes(GenericKubernetesResource stored) {
        Class<? extends HasMetadata> kind = Crds.KINDS.stream()
                .filter(type -> HasMetadata.getKind(type).equals(stored.getKind()))
                .findFirst()
                .orElseThrow();
        return asJson(client.getKubernetesSerialization().convertValue(stored, kind));
    }

    private static JsonNode asJson(Object object) {
        return client.getKubernetesSerialization().convertValue(object, JsonNode.class);
    }

    /** A quantity may be stored as a number; the Java types write it as text. */
    private static JsonNode scalarsAsText(JsonNode node) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        if (node.isObject()) {
            ObjectNode copy = json.objectNode();
            node.properties().forEach(field -> copy.set(field.getKey(), scalarsAsText(field.getValue())));
            return copy;
        }
        if (node.isArray()) {
            ArrayNode copy = json.arrayNode();
            node.forEach(item -> copy.add(scalarsAsText(item)));
            return copy;
        }
        return json.textNode(node.asText());
    }
}
