package etcdoperator.simulation.store;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Objects under paths. An object is there whole from one moment to the next, and replaces what was there before. */
public final class FakeStore {
    private final Map<String, StoredSnapshot> objects = new TreeMap<>();
    private final Map<String, Sidecar> sidecars = new TreeMap<>();

    /** The record beside an object. @param backup uid of the EtcdBackup that it was stored for */
    public record Sidecar(String backup, StoredSnapshot snapshot) {}

    public Optional<StoredSnapshot> object(String path) {
        return Optional.ofNullable(objects.get(path));
    }

    public void put(String path, StoredSnapshot snapshot) {
        objects.put(path, snapshot);
    }

    public void remove(String path) {
        objects.remove(path);
    }

    public Optional<Sidecar> sidecar(String path) {
        return Optional.ofNullable(sidecars.get(path));
    }

    public void describe(String path, Sidecar sidecar) {
        sidecars.put(path, sidecar);
    }

    public void forget(String path) {
        sidecars.remove(path);
    }

    public Map<String, StoredSnapshot> objects() {
        return Map.copyOf(objects);
    }
}
