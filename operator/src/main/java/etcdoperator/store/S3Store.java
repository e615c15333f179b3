package etcdoperator.store;

import etcdoperator.store.Errand.Doing;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** Amazon S3, and all that speak its language. */
final class S3Store implements Store {
    private final S3Client s3;
    private final String bucket;
    private final Place place;
    private final Patience patience;

    S3Store(StoreAddress address, StoreCredentials credentials, Patience patience) {
        this.s3 = S3Clients.client(address, credentials);
        this.bucket = address.bucket();
        this.place = Place.of(address);
        this.patience = patience;
    }

    @Override
    public Upload begin(String path) throws StoreException {
        Errand errand = place.errand(Doing.WRITE, path);
        var parts = new S3Parts(s3, bucket, place.key(path), errand);
        patience.run(errand, parts::removeLeftovers);
        return new Upload(parts, errand, patience);
    }

    @Override
    public InputStream open(String path) throws StoreException {
        Errand errand = place.errand(Doing.READ, path);
        String key = place.key(path);
        HeadObjectResponse head = head(key, errand).orElseThrow(errand::notFound);
        Ranges ranges = (offset, into, length) -> read(key, head.eTag(), offset, into, length, errand);
        return new PartedInput(ranges, head.contentLength(), errand, patience);
    }

    @Override
    public Optional<StoredObject> stat(String path) throws StoreException {
        return head(place.key(path), place.errand(Doing.READ, path))
                .map(head -> new StoredObject(path, head.contentLength(), head.lastModified()));
    }

    @Override
    public List<StoredObject> list(String prefix) throws StoreException {
        Errand errand = place.errand(Doing.LIST, prefix);
        return patience.run(errand, () -> {
            List<StoredObject> found = new ArrayList<>();
            try {
                s3.listObjectsV2Paginator(request -> request.bucket(bucket).prefix(place.keyPrefix(prefix)))
                        .contents()
                        .forEach(object -> found.add(
                                new StoredObject(place.path(object.key()), object.size(), object.lastModified())));
            } catch (SdkException e) {
                throw S3Refusals.translated(e, errand);
            }
            // Some compatible stores have an order of their own; consoles make "folders" as empty objects.
            found.removeIf(object -> !Place.flaw(object.path()).isEmpty());
            found.sort(Comparator.comparing(StoredObject::path));
            return found;
        });
    }

    @Override
    public void delete(String path) throws StoreException {
        Errand errand = place.errand(Doing.DELETE, path);
        String key = place.key(path);
        patience.run(errand, () -> {
            try {
                s3.deleteObject(request -> request.bucket(bucket).key(key));
            } catch (AwsServiceException e) {
                if (!S3Refusals.isMissing(e) || S3Refusals.isNoBucket(e)) {
                    throw S3Refusals.translated(e, errand);
                }
            } catch (SdkException e) {
                throw S3Refusals.translated(e, errand);
            }
        });
    }

    @Override
    public void close() {
        s3.close();
    }

    private Optional<HeadObjectResponse> head(String key, Errand errand) throws StoreException {
        return patience.run(errand, () -> {
            try {
                return Optional.of(
                        s3.headObject(request -> request.bucket(bucket).key(key)));
            } catch (AwsServiceException e) {
                if (!S3Refusals.isMissing(e)) {
                    throw S3Refusals.translated(e, errand);
                }
                checkBucket(errand);
                return Optional.empty();
            } catch (SdkException e) {
                throw S3Refusals.translated(e, errand);
            }
        });
    }

    /** Who may not ask for the bucket gets the benefit of the doubt. */
    private void checkBucket(Errand errand) throws StoreException {
        try {
            s3.headBucket(request -> request.bucket(bucket));
        } catch (AwsServiceException e) {
            if (S3Refusals.isMissing(e)) {
                throw errand.noBucket();
            }
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        }
    }

    private void read(String key, String etag, long offset, byte[] into, int length, Errand errand)
            throws StoreException {
        String range = "bytes=" + offset + "-" + (offset + length - 1);
        try (InputStream body = s3.getObject(
                request -> request.bucket(bucket).key(key).ifMatch(etag).range(range))) {
            if (body.readNBytes(into, 0, length) < length) {
                throw errand.unreachable("the answer was cut short");
            }
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw errand.unreachable(Errand.rootOf(e));
        }
    }
}
