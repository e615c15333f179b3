package etcdoperator.contract.kube;

import etcdoperator.kube.Kube;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/** A namespace, the operator's hand on it, and somebody else's. */
public interface KubeStage extends AutoCloseable {
    String namespace();

    Kube kube();

    /** Somebody else makes it. */
    <T extends HasMetadata> T make(T object);

    /** Somebody else removes it, at once. */
    void remove(HasMetadata object);

    <T extends HasMetadata> Optional<T> get(T object);

    @Override
    void close();
}
