package etcdoperator.agent;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.store.Store;
import etcdoperator.store.StoreException;
import etcdoperator.store.StoredObject;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * An earlier attempt at the same backup, by an agent whose pod was lost after it had stored the object. The hash of that
 * object may be in the status of the EtcdBackup: another snapshot in its place could neither be restored nor deleted.
 */
final class EarlierAttempt {
    /** The uid of a backup for which there is no EtcdBackup. */
    static final String UNKNOWN = "none";

    private final Store store;
    private final String uid;
    private final Instant begun;

    /** @param uid of the EtcdBackup @param begun the same for every attempt */
    EarlierAttempt(Store store, String uid, Instant begun) {
        this.store = store;
        this.uid = uid;
        this.begun = begun;
    }

    /** What it has stored at this path: the object is whole, and the record beside it names this backup. */
    Optional<AgentReport> stored(String path) throws IOException {
        try {
            Optional<AgentReport> written = Sidecar.read(store, path).filter(this::isOfThisBackup);
            Optional<StoredObject> object = written.isPresent() ? store.stat(path) : Optional.empty();
            return written.filter(report -> object.map(StoredObject::sizeBytes).equals(size(report)));
        } catch (StoreException e) {
            // Credentials may allow to write and not to read.
            if (e.kind() == StoreException.Kind.DENIED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Optional<Long> size(AgentReport report) {
        return Optional.ofNullable(report.storedBytes());
    }

    /** An agent that is run by hand knows no EtcdBackup, so it stores what it is told to store. */
    private boolean isOfThisBackup(AgentReport report) {
        return !uid.equals(UNKNOWN) && uid.equals(report.backup()) && begun.equals(report.time());
    }
}
