package io.improbable.etcd.store;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object on its way. One part is filled while the one before is sent, and no more are ever in memory. Closed before it
 * is complete, it leaves nothing. For one thread.
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
    private @Nullable FutureTask<Part> sending;
    private @Nullable Thread sender;
    private @Nullable StoreException failure;
    private boolean ended;
    private volatile long transferredBytes;

    Upload(Parts parts, Errand errand, Patience patience) {
        this.parts = parts;
        this.errand = errand;
        this.patience = patience;
    }

    @Override
    public void write(int value) throws StoreException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    /** Waits only while the part before is on its way and this one is full. */
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
        awaitSent();
        var last = new Part(number, offset, filling, filled);
        try {
            patience.run(errand, () -> parts.finish(last));
        } catch (StoreException e) {
            failure = e;
            throw e;
        }
        ended = true;
        transferredBytes = last.end();
    }

    /** What the store has by now; any thread may ask. */
    public long transferredBytes() {
        return transferredBytes;
    }

    /** Leaves nothing, as long as the store answers; else the next upload to this path will. */
    public void abort() {
        if (ended) {
            return;
        }
        ended = true;
        if (sender != null) {
            // Or a part might come after the end.
            Patience.hasEnded(sender);
        }
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
        byte[] free = awaitSent();
        var part = new Part(number, offset, filling, filled);
        sending = new FutureTask<>(() -> {
            patience.run(errand, () -> parts.send(part));
            transferredBytes = part.end();
            return part;
        });
        sender = Thread.ofVirtual().name("upload").start(sending);
        number++;
        offset = part.end();
        filled = 0;
        filling = free.length == Part.size(number) ? free : new byte[Part.size(number)];
    }

    /** @return the memory of the part that was sent, or none if there is none */
    private byte[] awaitSent() throws StoreException {
        FutureTask<Part> before = sending;
        if (before == null) {
            return new byte[0];
        }
        try {
            return before.get().bytes();
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
