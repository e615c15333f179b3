package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import etcdoperator.e2e.proto.Event;
import etcdoperator.e2e.proto.WatchCreateRequest;
import etcdoperator.e2e.proto.WatchGrpc;
import etcdoperator.e2e.proto.WatchRequest;
import etcdoperator.e2e.proto.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches what is written, from the first revision on, as a client of etcd's would: when its member goes, or falls
 * silent, it goes on at another from where it was. It must not miss a revision, nor see one twice.
 */
final class Watcher implements AutoCloseable {
    /** Something is written all the time, so a member that tells nothing for this long is frozen or cut off. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final Endpoints endpoints;
    private final Thread thread;
    private final Map<String, Long> seen = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();
    private long last;
    private @Nullable Stream current;
    private boolean closed;

    private Watcher(TestCluster cluster, Optional<Login> login) {
        this.endpoints = new Endpoints(cluster, login);
        this.thread = Thread.ofVirtual().unstarted(this::run);
    }

    static Watcher start(TestCluster cluster, Optional<Login> login) {
        var watcher = new Watcher(cluster, login);
        watcher.thread.start();
        return watcher;
    }

    /**
     * @param written reads each key that etcd has, and its revision; nothing is ever deleted or written twice. It is
     *     read anew each time: a write that nobody waits for any more may still be on its way.
     */
    void assertSawExactly(Supplier<Map<String, Long>> written) {
        eventually().untilAsserted(() -> {
            Map<String, Long> kept = written.get();
            synchronized (this) {
                assertThat(wrong).as("what a watch must never tell").isEmpty();
                assertThat(seen).as("what the watcher has seen").isEqualTo(kept);
            }
        });
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endpoints.close();
    }

    private synchronized void run() {
        while (!closed) {
            endpoints.refresh();
            for (Etcd member : endpoints.anyOne()) {
                watch(member);
            }
            pause(Duration.ofMillis(50));
        }
    }

    /** Returns when the stream has ended, or told nothing for too long. */
    private void watch(Etcd member) {
        var stream = new Stream();
        current = stream;
        var call = WatchGrpc.newStub(member.channel()).watch(stream);
        call.onNext(WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(Writers.PREFIX))
                        .setRangeEnd(Etcd.endOf(Writers.PREFIX))
                        .setStartRevision(last + 1))
                .build());
        long before;
        do {
            before = last;
            pause(SILENCE);
        } while (!closed && current == stream && last > before);
        current = null;
        stream.cancel();
    }

    private void pause(Duration time) {
        try {
            wait(time.toMillis());
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private synchronized void hear(Stream from, WatchResponse response) {
        if (from != current) {
            return; // it was given up
        }
        if (response.getCompactRevision() > 0) {
            wrong.add("revisions before %d are gone, and %d was asked for"
                    .formatted(response.getCompactRevision(), last + 1));
        }
        response.getEventsList().forEach(this::note);
        if (response.getCanceled()) {
            end(from);
        }
    }

    private void note(Event event) {
        long revision = event.getKv().getModRevision();
        String key = event.getKv().getKey().toStringUtf8();
        if (revision <= last) {
            wrong.add("revision %d of %s came after %d".formatted(revision, key, last));
        }
        if (seen.put(key, revision) != null) {
            wrong.add(key + " came twice");
        }
        last = Math.max(last, revision);
    }

    private synchronized void end(Stream stream) {
        if (current == stream) {
            current = null;
            notifyAll();
        }
    }

    /** One member's account, until it ends or is given up. */
    private final class Stream implements ClientResponseObserver<WatchRequest, WatchResponse> {
        private @Nullable ClientCallStreamObserver<WatchRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> requests) {
            call = requests;
        }

        @Override
        public void onNext(WatchResponse response) {
            hear(this, response);
        }

        @Override
        public void onError(Throwable cause) {
            end(this);
        }

        @Override
        public void onCompleted() {
            end(this);
        }

        void cancel() {
            if (call != null) {
                call.cancel("goes on elsewhere", Status.CANCELLED.asException());
            }
        }
    }
}
