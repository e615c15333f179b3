package etcdoperator.kube.fabric;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * What this process has just written, until every watch of its kind has caught up with it. Without it a pass could see
 * the peer it made and not yet the claim it made before, and take the claim for lost. A watch can stand still for any
 * time, so time proves nothing: an object is gone when the watches have come past the write and do not have it.
 */
public final class RecentWrites {
    /** For kinds that no watch follows. */
    private static final long KEPT_NANOS = Duration.ofSeconds(5).toNanos();

    private final Map<Key, Written> writes = new ConcurrentHashMap<>();
    private final Map<String, List<LongSupplier>> watches = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    public RecentWrites(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** @param reached the resource version up to which a watch of this kind has brought everything; 0 before its first list */
    public void followedBy(Class<? extends HasMetadata> type, LongSupplier reached) {
        watches.computeIfAbsent(HasMetadata.getKind(type), kind -> new CopyOnWriteArrayList<>())
                .add(reached);
    }

    public void remember(HasMetadata stored) {
        writes.put(Key.of(stored), new Written(stored, nanoTime.getAsLong()));
    }

    /** A watch has told of this object's end. */
    public void forget(HasMetadata deleted) {
        writes.computeIfPresent(
                Key.of(deleted), (key, written) -> version(written.object) <= version(deleted) ? null : written);
    }

    /** The cached objects, with newer and newly made ones in their places. */
    public <T extends HasMetadata> List<T> over(List<T> cached, Class<T> type, Predicate<T> wanted) {
        if (writes.isEmpty()) {
            return cached;
        }
        List<T> merged = new ArrayList<>();
        for (T object : cached) {
            Written written = writes.get(Key.of(object));
            merged.add(
                    written != null && version(written.object) > version(object) ? type.cast(written.object) : object);
        }
        writes.values().stream()
                .filter(written -> type.isInstance(written.object))
                .map(written -> type.cast(written.object))
                .filter(object -> wanted.test(object)
                        && cached.stream().noneMatch(known -> Key.of(known).equals(Key.of(object))))
                .forEach(merged::add);
        return merged;
    }

    /** Called now and then. */
    public void expire() {
        long now = nanoTime.getAsLong();
        writes.entrySet().removeIf(entry -> isOver(entry.getKey().kind(), entry.getValue(), now));
    }

    private boolean isOver(String kind, Written written, long now) {
        List<LongSupplier> following = watches.getOrDefault(kind, List.of());
        return following.isEmpty()
                ? now - written.at > KEPT_NANOS
                : following.stream().allMatch(reached -> reached.getAsLong() >= version(written.object));
    }

    private static long version(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    private record Written(HasMetadata object, long at) {}

    private record Key(String kind, String namespace, String name) {
        static Key of(HasMetadata object) {
            return new Key(
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName());
        }
    }
}
