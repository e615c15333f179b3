package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.CorruptSnapshotException;
import etcdoperator.store.Store;
import etcdoperator.store.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** Reads an object, and what was written beside it. */
final class ObjectReader {
    private final Store store;
    private final StoreOptions place;
    private final String path;
    private final Optional<AgentReport> sidecar;

    private ObjectReader(Store store, StoreOptions place, String path, Optional<AgentReport> sidecar) {
        this.store = store;
        this.place = place;
        this.path = path;
        this.sidecar = sidecar;
    }

    static ObjectReader of(Store store, StoreOptions place, String path, Progress progress)
            throws IOException, AgentException {
        progress.object(path, place.objectUrl(path).orElse(null));
        var reader = new ObjectReader(store, place, path, Sidecar.read(store, path));
        reader.sidecar.ifPresent(progress::remembered);
        return reader;
    }

    String name() throws AgentException {
        return place.name(path);
    }

    /** Empty for an object that others made. */
    Optional<AgentReport> sidecar() {
        return sidecar;
    }

    Optional<StoredObject> stat() throws IOException {
        return store.stat(path);
    }

    /** What comes of the object once it is opened. */
    interface Use<T> {
        T of(StoredForm form) throws IOException, AgentException;
    }

    /** Only its beginning, unless more of it is asked for. */
    <T> T look(Progress progress, Use<T> use) throws IOException, AgentException {
        try (InputStream stored = store.open(path)) {
            return use(stored, progress, use);
        }
    }

    /** @param tally of the object as it is stored, to its end */
    <T> T read(Tally tally, Progress progress, Use<T> use) throws IOException, AgentException {
        try (InputStream stored = new TalliedInput(store.open(path), tally)) {
            T result = use(stored, progress, use);
            // Behind the end of what was compressed there should be nothing; if there is, the hash will tell.
            stored.transferTo(OutputStream.nullOutputStream());
            return result;
        }
    }

    /** Every complaint about the content names the object. */
    private <T> T use(InputStream stored, Progress progress, Use<T> use) throws IOException, AgentException {
        try {
            StoredForm form = StoredForm.open(stored, place.key());
            progress.form(form.compression(), form.encrypted());
            return use.of(form);
        } catch (CorruptSnapshotException e) {
            throw new CorruptSnapshotException(name() + " " + e.getMessage());
        }
    }
}
