package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Which Secrets there are, and their versions. One watch brings this for all of them, whatever objects name, so that no
 * name is ever sent to the API server as a selector; it brings no data.
 */
final class SecretVersions implements AutoCloseable {
    private final KubernetesClient client;
    private final Watched<Secret> secrets;
    private final List<Consumer<SecretName>> listeners = new CopyOnWriteArrayList<>();

    SecretVersions(KubernetesClient other, Set<String> namespaces) {
        this.client = new KubernetesClientBuilder()
                .withConfig(other.getConfiguration())
                .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("metadata", new MetadataOnly()))
                .build();
        this.secrets = Watched.versions(client, namespaces, this::changed);
    }

    /** @param listener hears of each Secret that comes, changes or goes */
    void listen(Consumer<SecretName> listener) {
        listeners.add(listener);
    }

    private void changed(Secret secret) {
        var name = new SecretName(
                secret.getMetadata().getNamespace(), secret.getMetadata().getName());
        listeners.forEach(listener -> listener.accept(name));
    }

    void start() {
        secrets.start();
    }

    void awaitFilled() {
        secrets.awaitFilled();
    }

    /** Empty where there is no such Secret. */
    Optional<String> of(SecretName name) {
        return secrets.get(name.namespace(), name.name())
                .map(secret -> secret.getMetadata().getResourceVersion());
    }

    boolean isRunning() {
        return secrets.isRunning();
    }

    @Override
    public void close() {
        secrets.close();
        client.close();
    }
}
