package etcdoperator.store;

import com.azure.core.util.Context;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.models.ListBlobsOptions;
import etcdoperator.store.Errand.Doing;
import etcdoperator.store.StoreException.Kind;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Azure Blob Storage. What we call a bucket is a container there. */
final class AzureStore implements Store {
    private final BlobContainerClient container;
    private final Place place;
    private final Patience patience;

    AzureStore(StoreAddress address, StoreCredentials credentials, Patience patience) {
        this.container = AzureClients.client(address, credentials);
        this.place = Place.of(address);
        this.patience = patience;
    }

    @Override
    public Upload begin(String path) throws StoreException {
        Errand errand = place.errand(Doing.WRITE, path);
        var parts = new AzureParts(blob(place.key(path)).getBlockBlobClient(), errand);
        patience.run(errand, parts::begin);
        return new Upload(parts, errand, patience);
    }

    @Override
    public InputStream open(String path) throws StoreException {
        Errand errand = place.errand(Doing.READ, path);
        BlobClient blob = blob(place.key(path));
        BlobProperties properties = properties(blob, errand).orElseThrow(errand::notFound);
        Ranges ranges = (offset, into, length) -> read(blob, properties.getETag(), offset, into, length, errand);
        return new PartedInput(ranges, properties.getBlobSize(), errand, patience);
    }

    @Override
    public Optional<StoredObject> stat(String path) throws StoreException {
        return properties(blob(place.key(path)), place.errand(Doing.READ, path))
                .map(properties -> new StoredObject(
                        path,
                        properties.getBlobSize(),
                        properties.getLastModified().toInstant()));
    }

    @Override
    public List<StoredObject> list(String prefix) throws StoreException {
        Errand errand = place.errand(Doing.LIST, prefix);
        var options = new ListBlobsOptions().setPrefix(place.keyPrefix(prefix));
        return patience.run(errand, () -> {
            List<StoredObject> found = new ArrayList<>();
            asked(
                    errand,
                    () -> container
                            .listBlobs(options, null)
                            .forEach(item -> found.add(new StoredObject(
                                    place.path(item.getName()),
                                    item.getProperties().getContentLength(),
                                    item.getProperties().getLastModified().toInstant()))));
            found.removeIf(object -> !Place.flaw(object.path()).isEmpty());
            found.sort(Comparator.comparing(StoredObject::path));
            return found;
        });
    }

    @Override
    public void delete(String path) throws StoreException {
        Errand errand = place.errand(Doing.DELETE, path);
        BlobClient blob = blob(place.key(path));
        patience.run(errand, () -> {
            try {
                asked(errand, blob::delete);
            } catch (StoreException e) {
                if (e.kind() != Kind.NOT_FOUND) {
                    throw e;
                }
            }
        });
    }

    /** The client has nothing that must be closed. */
    @Override
    public void close() {}

    /** Does it, and says in our words how it went wrong. */
    static void asked(Errand errand, Runnable question) throws StoreException {
        try {
            question.run();
        } catch (RuntimeException e) {
            throw AzureRefusals.translated(e, errand);
        }
    }

    private BlobClient blob(String key) {
        return container.getBlobClient(key);
    }

    private Optional<BlobProperties> properties(BlobClient blob, Errand errand) throws StoreException {
        return patience.run(errand, () -> {
            try {
                return Optional.of(blob.getProperties());
            } catch (RuntimeException e) {
                StoreException translated = AzureRefusals.translated(e, errand);
                if (translated.kind() != Kind.NOT_FOUND) {
                    throw translated;
                }
                return Optional.empty();
            }
        });
    }

    private static void read(
            BlobClient blob, @Nullable String etag, long offset, byte[] into, int length, Errand errand)
            throws StoreException {
        var memory = new Memory(into);
        asked(
                errand,
                () -> blob.downloadStreamWithResponse(
                        memory,
                        new BlobRange(offset, (long) length),
                        new DownloadRetryOptions().setMaxRetryRequests(0),
                        new BlobRequestConditions().setIfMatch(etag),
                        false,
                        null,
                        Context.NONE));
        if (memory.used < length) {
            throw errand.unreachable("the answer was cut short");
        }
    }

    /** Where a part is read to. */
    private static final class Memory extends OutputStream {
        private final byte[] bytes;
        private int used;

        Memory(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void write(int value) {
            bytes[used++] = (byte) value;
        }

        @Override
        public void write(byte[] from, int start, int length) {
            System.arraycopy(from, start, bytes, used, length);
            used += length;
        }
    }
}
