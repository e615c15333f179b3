package etcdoperator.simulation.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Objects of some kinds as informers keep them: each kind as old as its own watch. */
public final class Watches {
    /** Who hears of news, and of ends. */
    record Listener(Consumer<HasMetadata> changed, Consumer<HasMetadata> deleted) {}

    private final FakeApiServer server;
    private final List<Class<? extends HasMetadata>> kinds;
    private final Predicate<HasMetadata> wanted;
    private final Listener listener;
    private final Map<Class<?>, Map<String, HasMetadata>> seen = new HashMap<>();
    private final Map<Class<?>, Integer> positions = new HashMap<>();
    private final Map<Class<?>, Long> reached = new HashMap<>();
    private final Set<Class<?>> stalled = new HashSet<>();

    /**
     * Begins as every informer does, with a list.
     *
     * @param wanted as a selector does it: whatever is not, or not any more, does not exist
     */
    Watches(
            FakeApiServer server,
            List<Class<? extends HasMetadata>> kinds,
            Predicate<HasMetadata> wanted,
            Listener listener) {
        this.server = server;
        this.kinds = kinds;
        this.wanted = wanted;
        this.listener = listener;
        for (Class<? extends HasMetadata> kind : kinds) {
            Map<String, HasMetadata> objects = new TreeMap<>();
            server.list(kind).stream()
                    .filter(wanted)
                    .forEach(object -> objects.put(object.getMetadata().getName(), object));
            seen.put(kind, objects);
            positions.put(kind, server.journal(kind).size());
            reached.put(kind, server.version());
        }
    }

    public List<Class<? extends HasMetadata>> kinds() {
        return kinds;
    }

    /** A watch that has broken and is not made anew for a while. */
    public void stall(Class<? extends HasMetadata> kind) {
        stalled.add(kind);
    }

    public void unstall() {
        stalled.clear();
    }

    /** The kinds of which there is news that could come now. */
    public List<Class<? extends HasMetadata>> deliverable() {
        return behind().stream().filter(kind -> !stalled.contains(kind)).toList();
    }

    public List<Class<? extends HasMetadata>> behind() {
        return kinds.stream()
                .filter(kind -> positions.get(kind) < server.journal(kind).size())
                .toList();
    }

    /** The resource version up to which this watch has brought everything; a live one gets bookmarks where nothing changes. */
    long reached(Class<? extends HasMetadata> kind) {
        return stalled.contains(kind) || behind().contains(kind) ? reached.get(kind) : server.version();
    }

    /** One piece of news of one kind. */
    public void deliver(Class<? extends HasMetadata> kind) {
        int position = positions.get(kind);
        FakeApiServer.Change change = server.journal(kind).get(position);
        positions.put(kind, position + 1);
        HasMetadata object = change.object();
        reached.put(kind, Long.parseLong(object.getMetadata().getResourceVersion()));
        String name = object.getMetadata().getName();
        Optional<HasMetadata> before = Optional.ofNullable(seen.get(kind).get(name));
        if (!change.deleted() && wanted.test(object)) {
            seen.get(kind).put(name, object);
            listener.changed().accept(object);
        } else if (before.isPresent()) {
            seen.get(kind).remove(name);
            listener.deleted().accept(object);
            listener.changed().accept(before.get());
        }
    }

    public <T extends HasMetadata> List<T> all(Class<T> kind) {
        return seen.get(kind).values().stream().map(kind::cast).toList();
    }
}
