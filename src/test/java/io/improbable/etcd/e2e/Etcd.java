package io.improbable.etcd.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.improbable.etcd.etcd.proto.KVGrpc;
import io.improbable.etcd.etcd.proto.PutRequest;
import io.improbable.etcd.etcd.proto.RangeRequest;
import io.improbable.etcd.etcd.proto.RangeResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A client of one member, by the address of its pod. */
final class Etcd implements AutoCloseable {
    static final Duration PATIENT = Duration.ofSeconds(20);

    private final ManagedChannel channel;

    Etcd(String address) {
        this.channel = NettyChannelBuilder.forAddress(address, 2379)
                .usePlaintext()
                .disableRetry()
                .build();
    }

    static Etcd of(Pod pod) {
        return new Etcd(pod.getStatus().getPodIP());
    }

    /** Returns once a quorum has acknowledged it. */
    void put(String key, String value, Duration deadline) {
        var _ = stub(deadline)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8(value))
                        .build());
    }

    /** A linearizable read of all keys below a prefix. */
    Map<String, String> read(String prefix) {
        ByteString first = ByteString.copyFromUtf8(prefix);
        byte[] end = prefix.getBytes(UTF_8);
        end[end.length - 1]++;
        RangeResponse answer = stub(PATIENT)
                .range(RangeRequest.newBuilder()
                        .setKey(first)
                        .setRangeEnd(ByteString.copyFrom(end))
                        .build());
        return answer.getKvsList().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().toStringUtf8(),
                        entry -> entry.getValue().toStringUtf8(),
                        (one, other) -> other,
                        TreeMap::new));
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private KVGrpc.KVBlockingStub stub(Duration deadline) {
        channel.resetConnectBackoff();
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }
}
