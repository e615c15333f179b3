package etcdoperator.bench;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.grpc.proto.ClusterGrpc;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.Member;
import etcdoperator.etcd.grpc.proto.MemberListRequest;
import etcdoperator.etcd.grpc.proto.MoveLeaderRequest;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import etcdoperator.etcd.grpc.proto.StatusResponse;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Who etcd says its members are, asked of the members themselves: the operator's word does not count. */
final class Members {
    private static final Duration DEADLINE = Duration.ofMillis(300);
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final Connections connections;

    Members(Connections connections) {
        this.connections = connections;
    }

    /** Waits until exactly so many members are listed, all vote, and each serves reads through a quorum. */
    void awaitVoters(int size, Set<Long> without) throws InterruptedException {
        Poll.until(size + " healthy voters", INTERVAL, () -> areWell(size, without));
    }

    /** Waits until anybody but these serves reads through a quorum. */
    void awaitAnybody(Set<Long> without) throws InterruptedException {
        Poll.until("somebody serves", INTERVAL, () -> {
            connections.leaveTheGone();
            return anybodysWord(channel -> reader(channel).filter(id -> !without.contains(id)))
                    .isPresent();
        });
    }

    /** The name of the member that leads. */
    String leader() throws InterruptedException {
        return Poll.found(
                "a leader is known",
                INTERVAL,
                () -> anybodysWord(channel -> {
                    long leader = status(channel).getLeader();
                    return list(channel).stream()
                            .filter(member -> member.getID() == leader)
                            .map(Member::getName)
                            .findFirst();
                }));
    }

    long id(String name) throws InterruptedException {
        return Poll.found(
                "member " + name + " is listed",
                INTERVAL,
                () -> anybodysWord(channel -> list(channel).stream()
                        .filter(member -> member.getName().equals(name))
                        .map(Member::getID)
                        .findFirst()));
    }

    /** Who does not answer is passed over: another one will know. */
    private <T> Optional<T> anybodysWord(Function<ManagedChannel, Optional<T>> question) {
        for (ManagedChannel channel : connections.all()) {
            try {
                Optional<T> answer = question.apply(channel);
                if (answer.isPresent()) {
                    return answer;
                }
            } catch (StatusRuntimeException e) {
                // the next one
            }
        }
        return Optional.empty();
    }

    /** Only the leader takes it, so all are asked until the one that leads is the one that should. */
    void lead(String name) throws InterruptedException {
        long target = id(name);
        Poll.until(name + " leads", INTERVAL, () -> {
            anybodysWord(channel -> {
                var _ = MaintenanceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                        .moveLeader(MoveLeaderRequest.newBuilder()
                                .setTargetID(target)
                                .build());
                return Optional.of(true);
            });
            return anybodysWord(channel -> Optional.of(status(channel).getLeader()))
                    .filter(leader -> leader == target)
                    .isPresent();
        });
    }

    Pod pod(String peer) {
        return connections.pods().stream()
                .filter(pod -> peer.equals(pod.getMetadata().getLabels().get("etcd.improbable.io/peer-name")))
                .findFirst()
                .orElseThrow();
    }

    List<Pod> pods() {
        return connections.pods();
    }

    private boolean areWell(int size, Set<Long> without) {
        Set<Long> listed = new HashSet<>();
        Set<Long> well = new HashSet<>();
        for (ManagedChannel channel : connections.all()) {
            try {
                Optional<Long> reader = reader(channel);
                if (reader.isEmpty()) {
                    continue;
                }
                List<Member> members = list(channel);
                if (members.stream().anyMatch(Member::getIsLearner)) {
                    return false;
                }
                members.forEach(member -> listed.add(member.getID()));
                well.add(reader.get());
            } catch (StatusRuntimeException e) {
                // not well: it may be none of the members, too
            }
        }
        return listed.size() == size && well.equals(listed) && listed.stream().noneMatch(without::contains);
    }

    /** Who serves reads through a quorum here; nobody where no leader is known. */
    private static Optional<Long> reader(ManagedChannel channel) {
        StatusResponse status = status(channel);
        if (status.getLeader() == 0) {
            // A read would be in vain, and an etcd that is told to stop waits for the end of each.
            return Optional.empty();
        }
        var _ = KVGrpc.newBlockingStub(channel)
                .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8("health"))
                        .build());
        return Optional.of(status.getHeader().getMemberId());
    }

    private static StatusResponse status(ManagedChannel channel) {
        channel.resetConnectBackoff();
        return MaintenanceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .status(StatusRequest.getDefaultInstance());
    }

    private static List<Member> list(ManagedChannel channel) {
        return ClusterGrpc.newBlockingStub(channel)
                .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                .memberList(MemberListRequest.getDefaultInstance())
                .getMembersList();
    }
}
