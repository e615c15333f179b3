package etcdoperator.kube.fabric;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which objects name which Secrets. */
final class References<K> {
    private final Map<K, Set<SecretName>> named = new HashMap<>();
    private final Map<SecretName, Set<K>> readers = new HashMap<>();

    /** @return what nobody names any more */
    synchronized Set<SecretName> set(K reader, Set<SecretName> names) {
        Set<SecretName> before = names.isEmpty() ? named.remove(reader) : named.put(reader, Set.copyOf(names));
        Set<SecretName> left = new HashSet<>(before == null ? Set.of() : before);
        left.removeAll(names);
        left.forEach(name -> readers.computeIfPresent(name, (n, by) -> without(reader, by)));
        names.forEach(
                name -> readers.computeIfAbsent(name, n -> new HashSet<>()).add(reader));
        left.removeIf(readers::containsKey);
        return left;
    }

    private static <K> @Nullable Set<K> without(K reader, Set<K> by) {
        by.remove(reader);
        return by.isEmpty() ? null : by;
    }

    synchronized Set<K> of(SecretName name) {
        return Set.copyOf(readers.getOrDefault(name, Set.of()));
    }

    synchronized boolean has(SecretName name) {
        return readers.containsKey(name);
    }
}
