package etcdoperator.kube.fabric;

import etcdoperator.certmanager.Certificate;
import etcdoperator.domain.ClusterKey;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Certificates of cert-manager, which may be there or not, or come later. */
final class CertManagerWatch implements AutoCloseable {
    private final KubernetesClient client;
    private final Set<String> namespaces;
    private final Consumer<Certificate> changed;
    private @Nullable Watched<Certificate> certificates;

    CertManagerWatch(KubernetesClient client, Set<String> namespaces, Consumer<Certificate> changed) {
        this.client = client;
        this.namespaces = namespaces;
        this.changed = changed;
    }

    /** Begins to watch its Certificates, if it is there; this waits for the API server the first time. */
    synchronized void look() {
        if (certificates == null && client.supports(Certificate.class)) {
            Watched<Certificate> watched =
                    new Watched<>(client, Certificate.class, namespaces, Watched.label(Labels.CLUSTER), changed);
            watched.start();
            watched.awaitFilled();
            certificates = watched;
        }
    }

    synchronized List<Certificate> of(ClusterKey cluster) {
        return certificates == null ? List.of() : certificates.of(cluster);
    }

    synchronized Stream<Watched<?>> all() {
        return certificates == null ? Stream.of() : Stream.of(certificates);
    }

    @Override
    public void close() {
        all().forEach(Watched::close);
    }
}
