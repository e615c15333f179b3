package etcdoperator.store;

import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.options.BlockBlobCommitBlockListOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import etcdoperator.store.StoreException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Blocks that nobody sees until a list of them is committed. Azure has no way to take one back: it drops those of dead
 * agents after a week, or with the next commit to the same name.
 */
final class AzureParts implements Parts {
    /** Tells our object from another one of the same name. */
    private static final String MARK = "etcdoperatorupload";

    private final BlockBlobClient blob;
    private final Errand errand;

    /** Also so that a block of an earlier agent is never taken for one of ours. */
    private final String mark = UUID.randomUUID().toString();

    private final List<String> sent = new ArrayList<>();
    private BlobRequestConditions onlyThat = new BlobRequestConditions();
    private boolean asked;

    AzureParts(BlockBlobClient blob, Errand errand) {
        this.blob = blob;
        this.errand = errand;
    }

    /** Only what is there now may be replaced. */
    void begin() throws StoreException {
        try {
            AzureStore.asked(errand, () -> {
                BlobProperties now = blob.getProperties();
                onlyThat = new BlobRequestConditions().setIfMatch(now.getETag());
            });
        } catch (StoreException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                onlyThat = new BlobRequestConditions().setIfNoneMatch("*");
            } else if (e.kind() != Kind.DENIED) {
                throw e;
            }
            // Who may not read may still write, whatever is there.
        }
    }

    @Override
    public void send(Part part) throws StoreException {
        String id = id(part);
        AzureStore.asked(errand, () -> blob.stageBlock(id, data(part)));
        sent.add(id);
    }

    /** A commit even of a single block: whatever a dead agent left under this name goes with it. */
    @Override
    public void finish(Part last) throws StoreException {
        if (last.length() > 0 && sent.size() < last.number()) {
            send(last);
        }
        if (asked && isComplete()) {
            return;
        }
        asked = true;
        var options = new BlockBlobCommitBlockListOptions(sent)
                .setMetadata(Map.of(MARK, mark))
                .setRequestConditions(onlyThat);
        AzureStore.asked(errand, () -> blob.commitBlockListWithResponse(options, null, Context.NONE));
    }

    @Override
    public void abort() {}

    /** Asked to commit before, and no answer: it may have been done all the same. */
    private boolean isComplete() throws StoreException {
        boolean[] ours = new boolean[1];
        try {
            AzureStore.asked(
                    errand,
                    () -> ours[0] =
                            mark.equals(blob.getProperties().getMetadata().get(MARK)));
        } catch (StoreException e) {
            if (e.kind() == Kind.UNREACHABLE) {
                throw e;
            }
        }
        return ours[0];
    }

    /** Azure wants all of one length. */
    private String id(Part part) {
        String id = "%s-%05d".formatted(mark, part.number());
        return Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.US_ASCII));
    }

    /** Whole arrays are not copied. */
    private static BinaryData data(Part part) {
        return part.length() == part.bytes().length
                ? BinaryData.fromBytes(part.bytes())
                : BinaryData.fromByteBuffer(part.buffer());
    }
}
