package etcdoperator.e2e;

import static etcdoperator.e2e.Patience.eventually;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.grpc.proto.AlarmRequest;
import etcdoperator.etcd.grpc.proto.AlarmType;
import etcdoperator.etcd.grpc.proto.ClusterGrpc;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.KeyValue;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.Member;
import etcdoperator.etcd.grpc.proto.MemberAddRequest;
import etcdoperator.etcd.grpc.proto.MemberListRequest;
import etcdoperator.etcd.grpc.proto.MemberRemoveRequest;
import etcdoperator.etcd.grpc.proto.MoveLeaderRequest;
import etcdoperator.etcd.grpc.proto.PutRequest;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A client of one member, by the address of its pod; it can do what {@code etcdctl} can. */
final class Etcd implements AutoCloseable {
    private static final Duration PATIENT = Duration.ofSeconds(20);
    private static final int PAGE = 10_000;

    private final ManagedChannel channel;

    Etcd(Door door) {
        this.channel = door.open();
    }

    static Etcd of(Pod pod) {
        return new Etcd(Door.of(pod));
    }

    /** @return the revision at which it was written, once a quorum has acknowledged it */
    long put(String key, String value, Duration deadline) {
        channel.resetConnectBackoff();
        return KVGrpc.newBlockingStub(channel)
                .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8(value))
                        .build())
                .getHeader()
                .getRevision();
    }

    /** A linearizable read of all keys below a prefix, in pages, for answers are limited. */
    NavigableMap<String, KeyValue> read(String prefix) {
        NavigableMap<String, KeyValue> found = new TreeMap<>();
        ByteString from = ByteString.copyFromUtf8(prefix);
        List<KeyValue> page;
        do {
            page = KVGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(PATIENT.toSeconds(), TimeUnit.SECONDS)
                    .range(RangeRequest.newBuilder()
                            .setKey(from)
                            .setRangeEnd(endOf(prefix))
                            .setLimit(PAGE)
                            .build())
                    .getKvsList();
            page.forEach(entry -> found.put(entry.getKey().toStringUtf8(), entry));
            from = page.isEmpty() ? from : page.getLast().getKey().concat(ByteString.copyFrom(new byte[] {0}));
        } while (page.size() == PAGE);
        return found;
    }

    /** The end of the range of all keys that begin with this. */
    static ByteString endOf(String prefix) {
        byte[] end = ByteString.copyFromUtf8(prefix).toByteArray();
        end[end.length - 1]++;
        return ByteString.copyFrom(end);
    }

    Map<String, Member> members() {
        return cluster()
                .memberList(MemberListRequest.newBuilder().setLinearizable(true).build())
                .getMembersList()
                .stream()
                .collect(Collectors.toMap(Etcd::id, member -> member, (one, other) -> other, TreeMap::new));
    }

    /** @return the id of the member that is listed from now on */
    String addMember(String peerUrl, boolean learner) {
        return id(onceConnected(() -> cluster()
                        .memberAdd(MemberAddRequest.newBuilder()
                                .addPeerURLs(peerUrl)
                                .setIsLearner(learner)
                                .build()))
                .getMember());
    }

    void removeMember(String id) {
        var _ = onceConnected(() -> cluster()
                .memberRemove(MemberRemoveRequest.newBuilder()
                        .setID(Long.parseUnsignedLong(id, 16))
                        .build()));
    }

    /** etcd takes no change of its members before they have been connected for five seconds. */
    private static <T> T onceConnected(Supplier<T> change) {
        return eventually()
                .until(
                        () -> {
                            try {
                                return change.get();
                            } catch (StatusRuntimeException e) {
                                if (String.valueOf(e.getStatus().getDescription())
                                        .contains("unhealthy cluster")) {
                                    return null;
                                }
                                throw e;
                            }
                        },
                        Objects::nonNull);
    }

    /** Only the leader itself takes this. */
    void moveLeaderTo(String id) {
        var _ = MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENT.toSeconds(), TimeUnit.SECONDS)
                .moveLeader(MoveLeaderRequest.newBuilder()
                        .setTargetID(Long.parseUnsignedLong(id, 16))
                        .build());
    }

    /** Says that this member's data is corrupt, as etcd itself does when it finds that out. */
    void cryCorrupt(String id) {
        MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENT.toSeconds(), TimeUnit.SECONDS)
                .alarm(AlarmRequest.newBuilder()
                        .setAction(AlarmRequest.AlarmAction.ACTIVATE)
                        .setMemberID(Long.parseUnsignedLong(id, 16))
                        .setAlarm(AlarmType.CORRUPT)
                        .build());
    }

    /** Who leads, by this member's own account. */
    String leader() {
        return Long.toHexString(MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(PATIENT.toSeconds(), TimeUnit.SECONDS)
                .status(StatusRequest.getDefaultInstance())
                .getLeader());
    }

    Channel channel() {
        channel.resetConnectBackoff();
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private static String id(Member member) {
        return Long.toHexString(member.getID());
    }

    private ClusterGrpc.ClusterBlockingStub cluster() {
        return ClusterGrpc.newBlockingStub(channel).withDeadlineAfter(PATIENT.toSeconds(), TimeUnit.SECONDS);
    }
}
