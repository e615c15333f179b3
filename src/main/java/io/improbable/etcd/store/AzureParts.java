package io.improbable.etcd.store;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * Blocks that nobody sees until a list of them is committed. Azure has no way to take one back: it drops those of dead
 * agents after a week, or with the next commit to the same name.
 */
final class AzureParts implements Parts {
    private final BlockBlobClient blob;
    private final Errand errand;

    /** So that a block of an earlier agent is never taken for one of ours. */
    private final String mark = UUID.randomUUID().toString();

    private final List<String> sent = new ArrayList<>();

    AzureParts(BlockBlobClient blob, Errand errand) {
        this.blob = blob;
        this.errand = errand;
    }

    @Override
    public void send(Part part) throws StoreException {
        String id = id(part);
        AzureStore.asked(errand, () -> blob.stageBlock(id, data(part)));
        sent.add(id);
    }

    /** A commit that was done without our hearing of it can be done again: its blocks are found among those committed. */
    @Override
    public void finish(Part last) throws StoreException {
        if (last.isFirst()) {
            AzureStore.asked(
                    errand, () -> blob.uploadWithResponse(new BlockBlobSimpleUploadOptions(data(last)), null, null));
            return;
        }
        if (sent.size() < last.number()) {
            send(last);
        }
        AzureStore.asked(errand, () -> blob.commitBlockList(sent, true));
    }

    @Override
    public void abort() {}

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
