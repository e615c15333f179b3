package etcdoperator.store;

import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object part by part, the next one while this one is used. So a broken connection costs one part, no
 * connection waits for a slow reader, and no more than two parts are in memory.
 */
final class PartedInput extends InputStream {
    private final Ranges ranges;
    private final Errand errand;
    private final Patience patience;
    private final long size;
    private byte[] current = new byte[0];
    private int used;
    private long fetched;
    private byte[] spare = new byte[0];
    private @Nullable FutureTask<byte[]> fetching;
    private @Nullable Thread fetcher;
    private int length;
    private boolean closed;

    PartedInput(Ranges ranges, long size, Errand errand, Patience patience) {
        this.ranges = ranges;
        this.size = size;
        this.errand = errand;
        this.patience = patience;
        fetchNext();
    }

    @Override
    public int read() throws StoreException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws StoreException {
        Objects.checkFromIndexSize(from, most, into.length);
        if (closed) {
            throw new IllegalStateException(errand.object() + " was closed before");
        }
        if (most == 0) {
            return 0;
        }
        if (used == length && !turn()) {
            return -1;
        }
        int some = Math.min(most, length - used);
        System.arraycopy(current, used, into, from, some);
        used += some;
        return some;
    }

    @Override
    public void close() {
        closed = true;
        if (fetcher != null) {
            Patience.hasEnded(fetcher);
        }
    }

    /** @return whether there is more */
    private boolean turn() throws StoreException {
        FutureTask<byte[]> next = fetching;
        if (next == null) {
            return false;
        }
        try {
            byte[] part = next.get();
            length = lengthAt(fetched);
            fetched += length;
            spare = current;
            current = part;
            used = 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException expected) {
                throw expected;
            }
            throw new IllegalStateException(e.getCause());
        }
        fetchNext();
        return true;
    }

    private void fetchNext() {
        int nextLength = lengthAt(fetched);
        if (nextLength == 0) {
            fetching = null;
            return;
        }
        long offset = fetched;
        byte[] memory = spare.length >= nextLength ? spare : new byte[nextLength];
        spare = new byte[0];
        FutureTask<byte[]> task = new FutureTask<>(() -> {
            patience.run(errand, () -> ranges.read(offset, memory, nextLength));
            return memory;
        });
        fetching = task;
        fetcher = Thread.ofVirtual().name("download").start(task);
    }

    private int lengthAt(long offset) {
        return (int) Math.min(Part.USUAL_SIZE, size - offset);
    }
}
