package etcdoperator.bench;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Namespaces of the bench's own on the test bed. Whatever happens, none is left behind. */
final class Bed {
    private static final String LABEL = "etcd-operator-bench";

    private final KubernetesClient client;
    private int count;
    private volatile boolean closed;

    Bed(KubernetesClient client) {
        this.client = client;
    }

    KubernetesClient client() {
        return client;
    }

    /** A namespace that is ready for pods. */
    String newNamespace(String purpose) throws InterruptedException {
        if (closed) {
            throw new IllegalStateException("The bench is being cleaned up");
        }
        String name = "bench-%s-%d".formatted(purpose, ++count);
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels(LABEL, "true")
                        .endMetadata()
                        .build())
                .create();
        Poll.until(
                "namespace " + name + " has its service account",
                Duration.ofMillis(20),
                () -> client.serviceAccounts()
                                .inNamespace(name)
                                .withName("default")
                                .get()
                        != null);
        return name;
    }

    /** Applies that many clusters at once, as one {@code kubectl apply} of all of them would, only faster. */
    void apply(Subject subject, String namespace, int first, int clusters, int size) throws IOException {
        List<HasMetadata> objects = new ArrayList<>();
        for (int i : IntStream.range(first, first + clusters).toArray()) {
            objects.addAll(subject.manifest(client, namespace, "c%02d".formatted(i), size));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            objects.forEach(
                    object -> threads.submit(() -> client.resource(object).create()));
        }
    }

    /** What makes pods goes first: a namespace that finds pods on its way out looks again only after 15 seconds. */
    void remove(String namespace) throws InterruptedException {
        client.resources(EtcdCluster.class).inNamespace(namespace).delete();
        client.resources(EtcdRestore.class).inNamespace(namespace).delete();
        client.resources(EtcdBackup.class).inNamespace(namespace).delete();
        client.batch().v1().jobs().inNamespace(namespace).delete();
        client.apps().statefulSets().inNamespace(namespace).delete();
        Poll.until(
                "namespace " + namespace + " has no pods",
                Duration.ofMillis(100),
                () -> client.pods().inNamespace(namespace).list().getItems().isEmpty());
        client.namespaces().withName(namespace).delete();
        Poll.until(
                "namespace " + namespace + " is gone",
                Duration.ofMillis(100),
                () -> client.namespaces().withName(namespace).get() == null);
    }

    /** No more namespaces: what is under way ends while they are being removed. */
    void close() {
        closed = true;
    }

    /** Also what an earlier run left that was not allowed to clean up. */
    void removeAll() throws InterruptedException {
        for (var namespace : client.namespaces().withLabel(LABEL).list().getItems()) {
            remove(namespace.getMetadata().getName());
        }
    }

    /** Clusters of others are tended by the same operator and would be counted with ours. */
    long clustersOfOthers() {
        return client.resources(EtcdCluster.class).inAnyNamespace().list().getItems().stream()
                .filter(cluster -> !cluster.getMetadata().getNamespace().startsWith("bench-"))
                .count();
    }
}
