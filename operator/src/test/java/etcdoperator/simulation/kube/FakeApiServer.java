package etcdoperator.simulation.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The store: resource versions, uids, and a journal for each kind that watches read at their own pace. */
public final class FakeApiServer {
    /** What a watch will tell one day. */
    record Change(HasMetadata object, boolean deleted) {}

    private final Map<Class<?>, Map<String, HasMetadata>> objects = new HashMap<>();
    private final Map<Class<?>, List<Change>> journals = new HashMap<>();
    private final InstantSource clock;
    private long version;
    private int uids;

    public FakeApiServer(InstantSource clock) {
        this.clock = clock;
    }

    public long version() {
        return version;
    }

    public <T extends HasMetadata> Optional<T> get(Class<T> kind, String name) {
        return Optional.ofNullable(table(kind).get(name)).map(kind::cast);
    }

    public <T extends HasMetadata> List<T> list(Class<T> kind) {
        return table(kind).values().stream().map(kind::cast).toList();
    }

    List<Change> journal(Class<?> kind) {
        return journals.computeIfAbsent(kind, k -> new ArrayList<>());
    }

    /** @throws IllegalStateException if the name is taken */
    public <T extends HasMetadata> T create(T object) {
        if (table(object.getClass()).containsKey(object.getMetadata().getName())) {
            throw new IllegalStateException(Objects.describe(object) + " exists");
        }
        ObjectMeta metadata = new ObjectMetaBuilder(object.getMetadata())
                .withUid("uid-" + ++uids)
                .withGeneration(1L)
                .withCreationTimestamp(
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .build();
        return store(Objects.with(object, metadata));
    }

    /** As a test wants it to be, with the uid and the age that it has, whether one of its name is there or not. */
    public <T extends HasMetadata> T put(T object) {
        ObjectMeta metadata = object.getMetadata();
        return store(Objects.with(
                object,
                new ObjectMetaBuilder(metadata)
                        .withUid(metadata.getUid() == null ? "uid-" + ++uids : metadata.getUid())
                        .withCreationTimestamp(
                                metadata.getCreationTimestamp() == null
                                        ? clock.instant()
                                                .truncatedTo(ChronoUnit.SECONDS)
                                                .toString()
                                        : metadata.getCreationTimestamp())
                        .build()));
    }

    /** Stores a changed object; one that is the same stays as it is, with its version. */
    public <T extends HasMetadata> T change(T current, UnaryOperator<T> edit) {
        T changed = edit.apply(Objects.with(current, new ObjectMetaBuilder(current.getMetadata()).build()));
        return changed.equals(current) ? current : store(changed);
    }

    public void remove(HasMetadata object) {
        HasMetadata gone = table(object.getClass()).remove(object.getMetadata().getName());
        if (gone != null) {
            HasMetadata last = Objects.with(gone, versioned(gone.getMetadata()));
            journal(object.getClass()).add(new Change(last, true));
        }
    }

    boolean hasUid(String uid) {
        return objects.values().stream()
                .flatMap(table -> table.values().stream())
                .anyMatch(object -> object.getMetadata().getUid().equals(uid));
    }

    private <T extends HasMetadata> T store(T object) {
        object.setMetadata(versioned(object.getMetadata()));
        table(object.getClass()).put(object.getMetadata().getName(), object);
        journal(object.getClass()).add(new Change(object, false));
        return object;
    }

    private ObjectMeta versioned(ObjectMeta metadata) {
        return new ObjectMetaBuilder(metadata)
                .withResourceVersion(Long.toString(++version))
                .build();
    }

    private Map<String, HasMetadata> table(Class<?> kind) {
        return objects.computeIfAbsent(kind, k -> new TreeMap<>());
    }
}
