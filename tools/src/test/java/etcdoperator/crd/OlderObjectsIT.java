package etcdoperator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.EtcdBackup;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Objects that are older than a rule which they break: all of them can be changed, but for the field in question. The
 * CRDs are in a group of their own, because for a moment they have no rules.
 */
class OlderObjectsIT {
    private static final String ID = UUID.randomUUID().toString().substring(0, 8);
    private static final String GROUP = "older-" + ID + ".etcd.improbable.io";
    private static final String NAMESPACE = "older-" + ID;
    private static final KubernetesClient client = new KubernetesClientBuilder().build();

    private static final String CLUSTER = """
            apiVersion: %s/v1alpha1
            kind: EtcdCluster
            metadata: {name: older}
            spec:
              replicas: 3
              version: 3.6.16
              storage: {volumeClaimTemplate: {resources: {requests: {storage: 50Mi}}}}
              tls: {client: {secret: {name: "a=b"}}}
              auth: {enabled: true, users: [{name: app, passwordSecret: {name: "a,b"}}]}
              podTemplate:
                imagePullSecrets: [{name: "my secret"}]
                env: [{name: A, valueFrom: {configMapKeyRef: {name: MyMap, key: a/b, optional: true}}}]
            """;

    private static final String BACKUP = """
            apiVersion: %s/v1alpha1
            kind: EtcdBackup
            metadata: {name: older}
            spec:
              source: {cluster: Old}
              destination: {volume: {claimName: a/b}}
            """;

    @BeforeAll
    static void begin() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        apply(withoutRules(EtcdCluster.class));
        apply(withoutRules(EtcdBackup.class));
        create(CLUSTER);
        create(BACKUP);
        apply(withRules(EtcdCluster.class));
        apply(withRules(EtcdBackup.class));
    }

    @AfterAll
    static void end() {
        client.resource(withRules(EtcdCluster.class)).delete();
        client.resource(withRules(EtcdBackup.class)).delete();
        client.namespaces().withName(NAMESPACE).delete();
        client.close();
    }

    private static CustomResourceDefinition withRules(Class<? extends CustomResource<?, ?>> kind) {
        CustomResourceDefinition crd = Crds.of(kind);
        crd.getSpec().setGroup(GROUP);
        crd.getSpec().getNames().setShortNames(null);
        crd.getSpec().getNames().setCategories(null);
        crd.getMetadata().setName(crd.getSpec().getNames().getPlural() + "." + GROUP);
        return crd;
    }

    private static CustomResourceDefinition withoutRules(Class<? extends CustomResource<?, ?>> kind) {
        CustomResourceDefinition crd = withRules(kind);
        SchemaWalk.forEach(crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema(), (name, schema) -> {
            schema.setXKubernetesValidations(List.of());
            schema.setMaxLength(null);
            schema.setMaxItems(null);
        });
        return crd;
    }

    private static void apply(CustomResourceDefinition crd) {
        client.resource(crd).forceConflicts().serverSideApply();
        client.resource(crd)
                .waitUntilCondition(
                        found -> found != null
                                && found.getStatus() != null
                                && found.getStatus().getConditions() != null
                                && found.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Established")
                                                        && condition.getStatus().equals("True")),
                        30,
                        TimeUnit.SECONDS);
    }

    private static void create(String manifest) {
        // The API server serves a new kind a moment after it says so.
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(() ->
                        client.resource(read(manifest)).inNamespace(NAMESPACE).create() != null);
    }

    private static GenericKubernetesResource read(String manifest) {
        return Serialization.unmarshal(manifest.formatted(GROUP), GenericKubernetesResource.class);
    }

    private static Resource<GenericKubernetesResource> stored(String manifest) {
        return client.resource(read(manifest)).inNamespace(NAMESPACE);
    }

    private static void patch(String manifest, String change) {
        stored(manifest).patch(PatchContext.of(PatchType.JSON_MERGE), change);
    }

    private static void refuses(String manifest, String change, String message) {
        // A schema that was changed counts a moment later.
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            KubernetesClientException refusal = catchThrowableOfType(
                    KubernetesClientException.class,
                    () -> stored(manifest)
                            .patch(
                                    new PatchContext.Builder()
                                            .withPatchType(PatchType.JSON_MERGE)
                                            .withDryRun(List.of("All"))
                                            .build(),
                                    change));
            assertThat(refusal).as(change).isNotNull();
            assertThat(refusal.getMessage()).contains(message);
        });
    }

    @Test
    void aClusterIsScaledAndChangedAndOnlyTheFieldItselfIsRefused() {
        refuses(CLUSTER, "{\"spec\":{\"tls\":{\"client\":{\"secret\":{\"name\":\"c=d\"}}}}}", "can have this name");
        refuses(
                CLUSTER,
                "{\"spec\":{\"podTemplate\":{\"imagePullSecrets\":[{\"name\":\"c d\"}]}}}",
                "can have this name");
        stored(CLUSTER).scale(5);
        patch(CLUSTER, "{\"spec\":{\"version\":\"3.6.17\"}}");
        patch(CLUSTER, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        patch(CLUSTER, "{\"spec\":{\"podTemplate\":{\"priorityClassName\":\"high\"}}}");
        stored(CLUSTER)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"replicas\":5,\"readyReplicas\":5}}");
        patch(CLUSTER, "{\"spec\":{\"tls\":{\"client\":{\"secret\":{\"name\":\"c\"}}}}}");
        patch(CLUSTER, "{\"spec\":{\"auth\":{\"allowInsecurePeers\":true}}}");
        refuses(CLUSTER, "{\"spec\":{\"auth\":{\"allowInsecurePeers\":false}}}", "spec.auth.enabled needs spec.tls.peer");
    }

    @Test
    void aBackupIsLabelledAndReported() {
        patch(BACKUP, "{\"metadata\":{\"finalizers\":[\"etcd.improbable.io/stored-backup\"]}}");
        stored(BACKUP)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"phase\":\"Failed\"}}");
        patch(BACKUP, "{\"metadata\":{\"finalizers\":null}}");
    }
}
