package etcdoperator.contract.etcd;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.grpc.proto.AlarmRequest;
import etcdoperator.etcd.grpc.proto.AlarmType;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.PutRequest;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What users ask of a member, and the operator never does. */
record RawClient(int port) {
    private static final ByteString KEY = ByteString.copyFromUtf8("written");

    private interface Question<T> {
        T ask(ManagedChannel channel);
    }

    /** @return whether the write was acknowledged */
    boolean write(int value) {
        return ask(channel -> {
                    kv(channel)
                            .put(PutRequest.newBuilder()
                                    .setKey(KEY)
                                    .setValue(ByteString.copyFromUtf8(Integer.toString(value)))
                                    .build());
                    return true;
                })
                .orElse(false);
    }

    Optional<Set<Integer>> read() {
        return ask(channel -> kv(channel)
                .range(RangeRequest.newBuilder().setKey(KEY).build())
                .getKvsList()
                .stream()
                .map(pair -> Integer.valueOf(pair.getValue().toStringUtf8()))
                .collect(Collectors.toSet()));
    }

    void raise(Alarm alarm) {
        var request = AlarmRequest.newBuilder()
                .setAction(AlarmRequest.AlarmAction.ACTIVATE)
                .setMemberID(alarm.member().value())
                .setAlarm(AlarmType.valueOf(alarm.kind().name()))
                .build();
        ask(channel -> MaintenanceGrpc.newBlockingStub(channel).alarm(request));
    }

    private static KVGrpc.KVBlockingStub kv(ManagedChannel channel) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(2, TimeUnit.SECONDS);
    }

    private <T> Optional<T> ask(Question<T> question) {
        ManagedChannel channel = ManagedChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .build();
        try {
            return Optional.of(question.ask(channel));
        } catch (StatusRuntimeException e) {
            return Optional.empty();
        } finally {
            channel.shutdownNow();
        }
    }
}
