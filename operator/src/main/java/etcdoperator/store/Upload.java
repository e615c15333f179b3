package etcdoperator.store;

import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object on its way. One part is filled while those before it are sent: as many as the store takes at once, which are
 * few, and one where parts are large. Closed before it is complete, it leaves nothing. For one thread.
 */
public final class Upload extends OutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(Upload.class);

    /** Most of what a test or a small etcd stores is far smaller than a part. */
    private static final int FIRST_MEMORY = 64 << 10;

    private final Parts parts;
    private final Errand errand;
    private final Patience patience;
    private byte[] filling = new byte[FIRST_MEMORY];
    private int filled;
    private int number = 1;
    private long offset;
    private final Deque<Sending> underWay = new ArrayDeque<>();
    private final AtomicLong transferredBytes = new AtomicLong();
    private @Nullable StoreException failure;
    private boolean ended;

    /** @param thread must have ended before anything else is done with the part's memory */
    private record Sending(FutureTask<Part> part, Thread thread) {}

    Upload(Parts parts, Errand errand, Patience patience) {
        this.parts = parts;
        this.errand = errand;
        this.patience = patience;
    }

    @Override
    public void write(int value) throws StoreException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    /** Waits only while the parts before are on their way and this one is full. */
    @Override
    public void write(byte[] bytes, int from, int length) throws StoreException {
        checkOpen();
        int at = from;
        while (at < from + length) {
            // Sent when more is to come, not when it is full: so the last part is never an empty one.
            if (filled == Part.size(number)) {
                sendFilled();
            } else if (filled == filling.length) {
                filling = Arrays.copyOf(filling, 2 * filled);
            }
            int some = Math.min(from + length - at, filling.length - filled);
            System.arraycopy(bytes, at, filling, filled, some);
            filled += some;
            at += some;
        }
    }

    /** Does nothing: only whole parts are sent. */
    @Override
    public void flush() {}

    /** The object is there, whole, from one moment to the next. */
    public void complete() throws StoreException {
        checkOpen();
        while (!underWay.isEmpty()) {
            awaitOldest();
        }
        var last = new Part(number, offset, filling, filled);
        try {
            patience.run(errand, () -> parts.finish(last));
        } catch (StoreException e) {
            failure = e;
            throw e;
        }
        ended = true;
        transferredBytes.set(last.end());
    }

    /** What the store has by now; any thread may ask. */
    public long transferredBytes() {
        return transferredBytes.get();
    }

    /** Leaves nothing, as long as the store answers; else the next upload to this path will. */
    public void abort() {
        if (ended) {
            return;
        }
        ended = true;
        // Or a part might come after the end.
        underWay.forEach(sending -> sending.thread().interrupt());
        underWay.forEach(sending -> Patience.hasEnded(sending.thread()));
        // Whoever is told to end has time for this, or would leave parts that cost money.
        boolean interrupted = Thread.interrupted();
        try {
            Patience.LITTLE.run(errand, parts::abort);
        } catch (StoreException e) {
            LOG.warn("What was sent could not be taken back, the next upload to this path will: {}", e.getMessage());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The same as {@link #abort}, unless it is complete. */
    @Override
    public void close() {
        abort();
    }

    private void sendFilled() throws StoreException {
        if (number >= Part.MOST) {
            failure = errand.tooLarge(offset + filled);
            throw failure;
        }
        int next = Part.size(number + 1);
        byte[] free = awaitRoom(next);
        var part = new Part(number, offset, filling, filled);
        var sending = new FutureTask<>(() -> {
            patience.run(errand, () -> parts.send(part));
            transferredBytes.addAndGet(part.length());
            return part;
        });
        underWay.add(new Sending(sending, Thread.ofVirtual().name("upload").start(sending)));
        number++;
        offset = part.end();
        filled = 0;
        filling = free.length == next ? free : new byte[next];
    }

    /** @return the memory of a part that was sent, or none if there is none */
    private byte[] awaitRoom(int next) throws StoreException {
        int most = next == Part.USUAL_SIZE ? parts.atOnce() : 1;
        byte[] free = new byte[0];
        while (underWay.size() >= most) {
            free = awaitOldest();
        }
        return free;
    }

    private byte[] awaitOldest() throws StoreException {
        try {
            byte[] memory = underWay.getFirst().part().get().bytes();
            underWay.removeFirst();
            return memory;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errand.interrupted();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreException expected) {
                failure = expected;
                throw expected;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private void checkOpen() throws StoreException {
        if (failure != null) {
            throw failure;
        }
        if (ended) {
            throw new IllegalStateException(errand.object() + " was ended before");
        }
    }
}
