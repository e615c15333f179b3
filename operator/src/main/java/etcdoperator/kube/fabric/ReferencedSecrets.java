package etcdoperator.kube.fabric;

import etcdoperator.reconcile.QueueMeter;
import etcdoperator.reconcile.WorkQueue;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets that objects name, and no others. They are read beside the passes, each when it is named first and when
 * its version has changed. What cannot be read is a value, and delays nobody.
 */
final class ReferencedSecrets<K> implements AutoCloseable {
    private static final int READS_AT_ONCE = 16;
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

    /** In characters, as they come. Certificates with the largest usual bundle have half of it. */
    static final int LARGEST = 512 * 1024;

    /** What all Secrets that objects of one namespace name may have together. */
    static final int MOST_IN_NAMESPACE = 4 * 1024 * 1024;

    private final Function<SecretName, Optional<String>> versions;
    private final Function<SecretName, Optional<Secret>> reads;
    private final Function<K, String> namespace;
    private final Consumer<K> wake;
    private final References<K> references = new References<>();
    private final NavigableMap<SecretName, Content> contents = new ConcurrentSkipListMap<>(
            Comparator.comparing(SecretName::namespace).thenComparing(SecretName::name));
    private final WorkQueue<SecretName> queue =
            new WorkQueue<>("secret", SecretName::namespace, READS_AT_ONCE, this::read, new QueueMeter());

    /** What is known of a Secret that is there. */
    private sealed interface Content {
        /** @param attempts how often it was not kept before */
        record Present(Secret secret, long size, int attempts) implements Content {}

        record Unreadable(String why, int attempts) implements Content {}
    }

    /** What came of reading Secrets. */
    record Result(List<Secret> found, Map<String, String> unreadable, Set<String> pending) {}

    ReferencedSecrets(
            KubernetesClient client, SecretVersions versions, Function<K, String> namespace, Consumer<K> wake) {
        this(
                versions::of,
                name -> Optional.ofNullable(client.secrets()
                        .inNamespace(name.namespace())
                        .withName(name.name())
                        .get()),
                namespace,
                wake);
        versions.listen(this::changed);
    }

    /** @param versions of those that are there @param reads asks the API server */
    ReferencedSecrets(
            Function<SecretName, Optional<String>> versions,
            Function<SecretName, Optional<Secret>> reads,
            Function<K, String> namespace,
            Consumer<K> wake) {
        this.versions = versions;
        this.reads = reads;
        this.namespace = namespace;
        this.wake = wake;
    }

    /** Those that are there; what this reader does not name any more is not kept for it any longer. */
    Result of(K reader, Set<String> names) {
        Set<SecretName> wanted = names.stream()
                .map(name -> new SecretName(namespace.apply(reader), name))
                .collect(Collectors.toUnmodifiableSet());
        references.set(reader, wanted).forEach(contents::remove);
        List<Secret> found = new ArrayList<>();
        Map<String, String> unreadable = new TreeMap<>();
        Set<String> pending = wanted.stream()
                .filter(name -> versions.apply(name).isPresent())
                .filter(name -> isPending(name, found, unreadable))
                .map(SecretName::name)
                .collect(Collectors.toUnmodifiableSet());
        return new Result(found, unreadable, pending);
    }

    private boolean isPending(SecretName name, List<Secret> found, Map<String, String> unreadable) {
        switch (contents.get(name)) {
            case null -> {
                queue.wake(name);
                return true;
            }
            case Content.Present present -> found.add(present.secret());
            case Content.Unreadable(String why, int attempts) -> unreadable.put(name.name(), why);
        }
        return false;
    }

    void release(K reader) {
        references.set(reader, Set.of()).forEach(contents::remove);
    }

    @Override
    public void close() {
        queue.close();
        contents.clear();
    }

    /** A watch has brought another version, or that it is gone. */
    void changed(SecretName name) {
        if (references.has(name)) {
            queue.wake(name);
        }
    }

    private Optional<Duration> read(SecretName name) {
        Content before = contents.get(name);
        Optional<String> version = versions.apply(name);
        if (version.isEmpty() || !references.has(name)) {
            contents.remove(name);
            tell(name, before != null || version.isEmpty());
            return Optional.empty();
        }
        if (before instanceof Content.Present present
                && version.get().equals(present.secret().getMetadata().getResourceVersion())) {
            return Optional.empty();
        }
        return keep(name, before, ask(name, before));
    }

    private Optional<Duration> keep(SecretName name, @Nullable Content before, Optional<Content> after) {
        Optional<Content> kept = store(name, after);
        tell(name, !kept.equals(Optional.ofNullable(before)));
        return kept.flatMap(now -> now instanceof Content.Unreadable(String why, int attempts)
                ? Optional.of(retry(attempts))
                : Optional.empty());
    }

    /** One after another, or two could each find room for one. */
    private synchronized Optional<Content> store(SecretName name, Optional<Content> read) {
        Optional<Content> kept = read.map(content -> weighed(name, content));
        if (kept.isEmpty() || !references.has(name)) {
            // It is gone, or was let go of while it was read.
            contents.remove(name);
        } else {
            contents.put(name, kept.get());
        }
        return kept;
    }

    private static Duration retry(int attempts) {
        Duration wanted = FIRST_RETRY.multipliedBy(1L << Math.min(attempts, 10));
        return wanted.compareTo(LONGEST_RETRY) < 0 ? wanted : LONGEST_RETRY;
    }

    private void tell(SecretName name, boolean news) {
        if (news) {
            references.of(name).forEach(wake);
        }
    }

    private Optional<Content> ask(SecretName name, @Nullable Content before) {
        int attempts = before instanceof Content.Unreadable(String why, int earlier) ? earlier + 1 : 0;
        try {
            return reads.apply(name).map(secret -> new Content.Present(secret, size(secret), attempts));
        } catch (RuntimeException e) {
            // What was read before is better than nothing.
            return Optional.of(before instanceof Content.Present ? before : new Content.Unreadable(why(e), attempts));
        }
    }

    private Content weighed(SecretName name, Content read) {
        if (!(read instanceof Content.Present(Secret secret, long size, int attempts))) {
            return read;
        }
        if (size > LARGEST) {
            return new Content.Unreadable("it has more than %d KiB".formatted(LARGEST / 1024), attempts);
        }
        long others = contents.tailMap(new SecretName(name.namespace(), "")).entrySet().stream()
                .takeWhile(entry -> entry.getKey().namespace().equals(name.namespace()))
                .filter(entry -> !entry.getKey().equals(name))
                .mapToLong(entry -> entry.getValue() instanceof Content.Present present ? present.size() : 0)
                .sum();
        return others + size > MOST_IN_NAMESPACE
                ? new Content.Unreadable(
                        "the Secrets that objects of its namespace name have more than %d KiB together"
                                .formatted(MOST_IN_NAMESPACE / 1024),
                        attempts)
                : read;
    }

    private static long size(Secret secret) {
        return Optional.ofNullable(secret.getData()).orElse(Map.of()).entrySet().stream()
                .mapToLong(entry -> entry.getKey().length()
                        + Optional.ofNullable(entry.getValue()).orElse("").length())
                .sum();
    }

    private static String why(RuntimeException e) {
        return e instanceof KubernetesClientException refusal && refusal.getStatus() != null
                ? String.valueOf(refusal.getStatus().getMessage())
                : "the API server did not answer: " + e.getMessage();
    }
}
