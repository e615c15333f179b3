package etcdoperator.store;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Keeps objects under paths, whole or not at all. Any number of threads may use it at once. */
public interface Store extends AutoCloseable {
    /**
     * Nothing is seen at the path before the upload is complete; what was there before stays until then. What an earlier
     * upload of this path left behind is removed, so only one may be under way.
     */
    Upload begin(String path) throws StoreException;

    /** A read that is cut short goes on where it was. It fails if the object is replaced meanwhile. */
    InputStream open(String path) throws StoreException;

    Optional<StoredObject> stat(String path) throws StoreException;

    /** All objects whose path begins so, ordered by path. */
    List<StoredObject> list(String prefix) throws StoreException;

    /** Says nothing if there is none. */
    void delete(String path) throws StoreException;

    @Override
    void close();

    /** @throws IllegalArgumentException in words for users, if these credentials are of no use there */
    static Store in(StoreAddress address, StoreCredentials credentials) {
        return in(address, credentials, Patience.USUAL);
    }

    /** For those who must know soon. */
    static Store in(StoreAddress address, StoreCredentials credentials, Patience patience) {
        return switch (address.provider()) {
            case S3 -> new S3Store(address, credentials, patience);
            case GOOGLE -> new GcsStore(address, credentials, patience);
            case AZURE -> new AzureStore(address, credentials, patience);
        };
    }

    /** A mounted volume. */
    static Store in(Path folder) {
        return new FolderStore(folder);
    }
}
