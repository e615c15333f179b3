package etcdoperator.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** A multipart upload, or for what fits into one part a simple one. */
final class S3Parts implements Parts {
    /** Tells our object from another one of the same name. */
    private static final String MARK = "etcd-operator-upload";

    private static final String TYPE = "application/octet-stream";

    /** How long a store goes on with a part whose connection has ended. */
    private static final Duration AFTERMATH = Duration.ofSeconds(1);

    private final S3Client s3;
    private final String bucket;
    private final String key;
    private final Errand errand;
    private final Map<String, String> mark = Map.of(MARK, UUID.randomUUID().toString());
    private final Map<Integer, CompletedPart> sent = new ConcurrentSkipListMap<>();
    private volatile boolean checksummed;
    private @Nullable String id;
    private boolean asked;

    S3Parts(S3Client s3, String bucket, String key, Errand errand) {
        this.s3 = s3;
        this.bucket = bucket;
        this.key = key;
        this.errand = errand;
    }

    /** Parts of dead agents: nobody sees them, and everybody pays for them. */
    void removeLeftovers() throws StoreException {
        try {
            for (MultipartUpload upload : s3.listMultipartUploadsPaginator(
                            request -> request.bucket(bucket).prefix(key))
                    .uploads()) {
                if (upload.key().equals(key)) {
                    end(upload.uploadId());
                }
            }
        } catch (AwsServiceException e) {
            // Who may not list them, or whose store knows no such list, may still store something.
            if (S3Refusals.isNoBucket(e) || (e.statusCode() >= 500 && e.statusCode() != 501)) {
                throw S3Refusals.translated(e, errand);
            }
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        }
    }

    /** For a store that is far away one connection is slow, however wide the way. */
    @Override
    public int atOnce() {
        return 2;
    }

    @Override
    public void send(Part part) throws StoreException {
        try {
            String upload = id();
            String etag = checked(
                    part,
                    md5 -> s3.uploadPart(
                                    request -> request.bucket(bucket)
                                            .key(key)
                                            .uploadId(upload)
                                            .partNumber(part.number())
                                            .contentMD5(md5),
                                    body(part))
                            .eTag());
            sent.put(
                    part.number(),
                    CompletedPart.builder().partNumber(part.number()).eTag(etag).build());
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        }
    }

    @Override
    public void finish(Part last) throws StoreException {
        if (last.isFirst()) {
            put(last);
            return;
        }
        if (!sent.containsKey(last.number())) {
            send(last);
        }
        try {
            if (asked && isComplete()) {
                return;
            }
            asked = true;
            s3.completeMultipartUpload(request ->
                    request.bucket(bucket).key(key).uploadId(id).multipartUpload(parts -> parts.parts(sent.values())));
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        }
    }

    /** Said twice, as S3 asks for: a part that was on its way may come in after the upload was ended. */
    @Override
    public void abort() throws StoreException {
        try {
            if (id != null) {
                end(id);
                Thread.sleep(AFTERMATH);
                end(id);
            }
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        }
    }

    private void put(Part only) throws StoreException {
        try {
            checked(
                    only,
                    md5 -> s3.putObject(
                            request -> request.bucket(bucket)
                                    .key(key)
                                    .contentType(TYPE)
                                    .metadata(mark)
                                    .contentMD5(md5),
                            body(only)));
        } catch (SdkException e) {
            throw S3Refusals.translated(e, errand);
        }
    }

    /**
     * Buckets with a lock refuse what has no checksum. Of those this one every store knows, but it is slow, and what it
     * would notice is noticed without it: by TLS, or else by the signature, which then covers the content.
     */
    private <T> T checked(Part part, Function<@Nullable String, T> sending) {
        if (!checksummed) {
            try {
                return sending.apply(null);
            } catch (AwsServiceException e) {
                if (!S3Refusals.isForWantOfChecksum(e)) {
                    throw e;
                }
                checksummed = true;
            }
        }
        return sending.apply(md5(part));
    }

    private synchronized String id() {
        String known = id;
        if (known == null) {
            known = s3.createMultipartUpload(request ->
                            request.bucket(bucket).key(key).contentType(TYPE).metadata(mark))
                    .uploadId();
            id = known;
        }
        return known;
    }

    /** Asked to complete before, and no answer: it may have been done all the same, and would now be unknown. */
    private boolean isComplete() {
        try {
            return mark.equals(
                    s3.headObject(request -> request.bucket(bucket).key(key)).metadata());
        } catch (AwsServiceException e) {
            return false;
        }
    }

    private void end(String upload) {
        try {
            s3.abortMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(upload));
        } catch (AwsServiceException e) {
            if (!S3Refusals.isNoUpload(e)) {
                throw e;
            }
        }
    }

    private static RequestBody body(Part part) {
        return RequestBody.fromContentProvider(part::stream, part.length(), TYPE);
    }

    private static String md5(Part part) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(part.bytes(), 0, part.length());
            return Base64.getEncoder().encodeToString(md5.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
