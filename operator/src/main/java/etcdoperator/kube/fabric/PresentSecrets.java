package etcdoperator.kube.fabric;

import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Whether Secrets that objects name are there. Nothing of them is read: only agents need what is in them. */
final class PresentSecrets<K> {
    private final SecretVersions versions;
    private final Function<K, String> namespace;
    private final References<K> references = new References<>();

    PresentSecrets(SecretVersions versions, Function<K, String> namespace, Consumer<K> wake) {
        this.versions = versions;
        this.namespace = namespace;
        versions.listen(name -> references.of(name).forEach(wake));
    }

    /** Those of these that are there; the reader hears of changes to these alone. */
    Set<String> of(K reader, Set<String> names) {
        Set<SecretName> wanted = names.stream()
                .map(name -> new SecretName(namespace.apply(reader), name))
                .collect(Collectors.toUnmodifiableSet());
        references.set(reader, wanted);
        return wanted.stream()
                .filter(name -> versions.of(name).isPresent())
                .map(SecretName::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    void release(K reader) {
        references.set(reader, Set.of());
    }
}
