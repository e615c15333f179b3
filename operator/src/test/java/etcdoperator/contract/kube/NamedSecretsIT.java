package etcdoperator.contract.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import etcdoperator.api.EtcdCluster;
import etcdoperator.domain.ClusterKey;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.fabric.KubeConnection;
import etcdoperator.manifest.OperatorPods;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Secrets that a spec names, as a real API server tells of them. */
class NamedSecretsIT {
    private static final Duration SOON = Duration.ofMinutes(1);

    /** It is paused, so that an operator which watches leaves it alone. */
    private static final String CLUSTER = """
            apiVersion: etcd.improbable.io/v1alpha1
            kind: EtcdCluster
            metadata: {name: c}
            spec:
              paused: true
              replicas: 1
              version: 3.6.16
              storage: {volumeClaimTemplate: {resources: {requests: {storage: 1Mi}}}}
              auth:
                enabled: false
                rootSecret: {name: root}
                users: [{name: a, passwordSecret: {name: nobody-made-it}}]
            """;

    private final String namespace = "named-" + UUID.randomUUID().toString().substring(0, 8);
    private final ClusterKey key = new ClusterKey(namespace, "c");
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final Set<ClusterKey> woken = ConcurrentHashMap.newKeySet();
    private final KubeConnection connection = new KubeConnection(
            client,
            Set.of(),
            OperatorPods.USUAL,
            "named",
            new KubeConnection.Wakers(woken::add, peer -> {}, backup -> {}, schedule -> {}, restore -> {}));

    @BeforeEach
    void aClusterThatNamesSecrets() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        client.resource(secret("root", "one")).create();
        client.resource(secret("other", "never read")).create();
        client.resource(Serialization.unmarshal(CLUSTER, EtcdCluster.class))
                .inNamespace(namespace)
                .create();
        connection.fillCaches();
    }

    @AfterEach
    void tidyUp() {
        connection.close();
        client.namespaces().withName(namespace).delete();
        client.close();
    }

    private Secret secret(String name, String password) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withStringData(Map.of("password", password))
                .build();
    }

    private ClusterObjects seen() {
        return connection.cache().cluster(key).orElseThrow();
    }

    private List<String> passwords() {
        return seen().secrets().stream()
                .map(secret -> secret.getMetadata().getName() + " "
                        + new String(Base64.getDecoder().decode(secret.getData().get("password"))))
                .toList();
    }

    @Test
    void whatIsNamedIsReadFollowedAndForgotten() {
        await().atMost(SOON).until(() -> seen().unread().pending().isEmpty());
        assertThat(passwords()).containsExactly("root one");
        assertThat(seen().unread().secrets()).isEmpty();

        woken.clear();
        client.resource(secret("root", "two")).forceConflicts().serverSideApply();
        await().atMost(SOON).until(() -> woken.contains(key));
        await().atMost(SOON).untilAsserted(() -> assertThat(passwords()).containsExactly("root two"));

        client.resource(secret("nobody-made-it", "late")).create();
        await().atMost(SOON)
                .untilAsserted(
                        () -> assertThat(passwords()).containsExactlyInAnyOrder("root two", "nobody-made-it late"));

        woken.clear();
        client.secrets().inNamespace(namespace).withName("root").delete();
        await().atMost(SOON).until(() -> woken.contains(key));
        await().atMost(SOON).untilAsserted(() -> assertThat(passwords()).containsExactly("nobody-made-it late"));
        assertThat(connection.isWatching()).isTrue();
    }
}
