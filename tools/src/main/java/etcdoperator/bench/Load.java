package etcdoperator.bench;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import com.google.protobuf.ByteString;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.PutRequest;
import etcdoperator.etcd.grpc.proto.PutResponse;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Clients that write all the time: a put every few milliseconds, to each endpoint in its turn, with a short deadline,
 * and none waits for the one before. So what shows is how long etcd itself takes no write, and not how long one client
 * sits on a dead connection.
 */
final class Load implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final Duration DEADLINE = Duration.ofMillis(200);
    private static final Duration REFRESH = Duration.ofMillis(200);
    /** Few keys: what is measured is not how etcd bears a large database. */
    private static final int KEYS = 1000;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private volatile List<ManagedChannel> endpoints = List.of();
    private int count;
    private long lastNanos = System.nanoTime();
    private long longestNanos;

    Load(Connections connections) {
        threads.scheduleWithFixedDelay(
                () -> endpoints = connections.all(), 0, REFRESH.toMillis(), TimeUnit.MILLISECONDS);
        threads.scheduleAtFixedRate(this::write, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From here on silence is measured anew. */
    synchronized void begin() {
        lastNanos = System.nanoTime();
        longestNanos = 0;
    }

    /** The longest time between two acknowledged writes, or since the last one. */
    synchronized Duration longestSilence() {
        return Duration.ofNanos(Math.max(longestNanos, System.nanoTime() - lastNanos));
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void write() {
        List<ManagedChannel> known = endpoints;
        if (known.isEmpty()) {
            return;
        }
        count++;
        ManagedChannel endpoint = known.get(count % known.size());
        endpoint.resetConnectBackoff();
        var put = KVGrpc.newFutureStub(endpoint)
                .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8("load/" + count % KEYS))
                        .build());
        Futures.addCallback(
                put,
                new FutureCallback<PutResponse>() {
                    @Override
                    public void onSuccess(PutResponse response) {
                        acknowledge();
                    }

                    @Override
                    public void onFailure(Throwable cause) {
                        // not acknowledged: that is the silence
                    }
                },
                MoreExecutors.directExecutor());
    }

    private synchronized void acknowledge() {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
    }
}
