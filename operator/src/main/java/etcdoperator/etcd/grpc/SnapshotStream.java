package etcdoperator.etcd.grpc;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.grpc.proto.SnapshotRequest;
import etcdoperator.etcd.grpc.proto.SnapshotResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as a member sends it: its database, and after it the hash of that. Only so many messages are asked for as
 * may be in memory, so a slow reader slows down the member and not the other way round. For one thread.
 */
public final class SnapshotStream extends InputStream {
    /** Of 32 KiB each. Fewer, and the member would wait for us. */
    private static final int IN_FLIGHT = 32;

    private final Duration silence;
    private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private volatile @Nullable ClientCallStreamObserver<SnapshotRequest> call;
    private ByteString current = ByteString.EMPTY;
    private int used;
    private long total;
    private boolean ended;

    private sealed interface Event {}

    private record Message(ByteString bytes, long remaining) implements Event {}

    private record End() implements Event {}

    private record Failure(Status status) implements Event {}

    SnapshotStream(Duration silence) {
        this.silence = silence;
    }

    ClientResponseObserver<SnapshotRequest, SnapshotResponse> receiver() {
        return new ClientResponseObserver<>() {
            @Override
            public void beforeStart(ClientCallStreamObserver<SnapshotRequest> started) {
                started.disableAutoRequestWithInitial(IN_FLIGHT);
                call = started;
            }

            @Override
            public void onNext(SnapshotResponse message) {
                events.add(new Message(message.getBlob(), message.getRemainingBytes()));
            }

            @Override
            public void onError(Throwable thrown) {
                events.add(new Failure(Status.fromThrowable(thrown)));
            }

            @Override
            public void onCompleted() {
                events.add(new End());
            }
        };
    }

    /** @throws StatusRuntimeException as every other call does */
    void awaitFirst() {
        switch (next()) {
            case Message first -> {
                total = first.bytes().size() + first.remaining();
                take(first);
            }
            case End end -> ended = true;
            case Failure failure -> throw failure.status().asRuntimeException();
        }
    }

    /** Of the database, as the member said when it began; without the hash that follows. */
    public long databaseBytes() {
        return total;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        Objects.checkFromIndexSize(from, most, into.length);
        if (most == 0) {
            return 0;
        }
        while (used == current.size() && !ended) {
            turn();
        }
        int some = Math.min(most, current.size() - used);
        if (some == 0) {
            return -1;
        }
        current.copyTo(into, used, from, some);
        used += some;
        return some;
    }

    /** Also before its end: then the member need not send the rest. */
    @Override
    public void close() {
        ClientCallStreamObserver<SnapshotRequest> running = call;
        if (running != null) {
            running.cancel("not wanted any more", null);
        }
    }

    private void turn() throws IOException {
        switch (next()) {
            case Message message -> take(message);
            case End end -> ended = true;
            case Failure(Status status) -> {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("this process is ending");
                }
                EtcdException why = Refusals.of("snapshot", status.asRuntimeException(), Optional.empty());
                throw new IOException(why.why(), why);
            }
        }
    }

    private void take(Message message) {
        current = message.bytes();
        used = 0;
        Objects.requireNonNull(call).request(1);
    }

    private Event next() {
        try {
            Event event = events.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
            if (event != null) {
                return event;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
        return new Failure(Status.DEADLINE_EXCEEDED);
    }
}
