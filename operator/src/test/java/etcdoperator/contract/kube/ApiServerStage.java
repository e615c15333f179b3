package etcdoperator.contract.kube;

import static org.awaitility.Awaitility.await;

import etcdoperator.kube.Kube;
import etcdoperator.kube.fabric.KubeConnection;
import etcdoperator.manifest.OperatorPods;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A namespace of its own on a real API server, given by KUBECONFIG. */
final class ApiServerStage implements KubeStage {
    private final String namespace =
            "kube-contract-" + UUID.randomUUID().toString().substring(0, 8);
    private final KubernetesClient client = new KubernetesClientBuilder().build();
    private final KubeConnection connection = new KubeConnection(
            client,
            Set.of(namespace),
            OperatorPods.USUAL,
            "contract",
            new KubeConnection.Wakers(cluster -> {}, peer -> {}, backup -> {}, schedule -> {}, restore -> {}));

    ApiServerStage() {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public Kube kube() {
        return connection.effects();
    }

    @Override
    public <T extends HasMetadata> T make(T object) {
        return client.resource(object).create();
    }

    @Override
    public void remove(HasMetadata object) {
        client.resource(object).delete();
        // Claims are protected until a controller has looked who uses them.
        await().atMost(Duration.ofMinutes(3)).until(() -> get(object).isEmpty());
    }

    @Override
    public <T extends HasMetadata> Optional<T> get(T object) {
        return Optional.ofNullable(client.resource(object).get());
    }

    @Override
    public void close() {
        connection.close();
        client.namespaces().withName(namespace).delete();
        client.close();
    }
}
