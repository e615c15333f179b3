package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Keeps the version of each Secret and nothing else: there may be many thousands that no object names. */
final class VersionStore implements ItemStore<Secret> {
    private final Map<String, String> versions = new ConcurrentHashMap<>();

    @Override
    public String getKey(Secret secret) {
        return Cache.metaNamespaceKeyFunc(secret);
    }

    @Override
    public @Nullable Secret put(String key, Secret secret) {
        return secret(key, versions.put(key, secret.getMetadata().getResourceVersion()));
    }

    @Override
    public @Nullable Secret remove(String key) {
        return secret(key, versions.remove(key));
    }

    @Override
    public Stream<String> keySet() {
        return versions.keySet().stream();
    }

    @Override
    public Stream<Secret> values() {
        return versions.entrySet().stream().map(entry -> known(entry.getKey(), entry.getValue()));
    }

    @Override
    public int size() {
        return versions.size();
    }

    @Override
    public @Nullable Secret get(String key) {
        return secret(key, versions.get(key));
    }

    private static @Nullable Secret secret(String key, @Nullable String version) {
        return version == null ? null : known(key, version);
    }

    private static Secret known(String key, String version) {
        int slash = key.indexOf('/');
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(key.substring(0, Math.max(0, slash)))
                .withName(key.substring(slash + 1))
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }
}
