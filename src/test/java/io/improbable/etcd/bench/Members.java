package io.improbable.etcd.bench;

import com.google.protobuf.ByteString;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.improbable.etcd.etcd.proto.ClusterGrpc;
import io.improbable.etcd.etcd.proto.KVGrpc;
import io.improbable.etcd.etcd.proto.MaintenanceGrpc;
import io.improbable.etcd.etcd.proto.Member;
import io.improbable.etcd.etcd.proto.MemberListRequest;
import io.improbable.etcd.etcd.proto.MoveLeaderRequest;
import io.improbable.etcd.etcd.proto.RangeRequest;
import io.improbable.etcd.etcd.proto.StatusRequest;
import io.improbable.etcd.etcd.proto.StatusResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Who etcd says its members are, asked of the members themselves: the operator's word does not count. */
final class Members {
    private static final Duration DEADLINE = Duration.ofMillis(300);
    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Connections connections;

    Members(Connections connections) {
        this.connections = connections;
    }

    /** Waits until exactly so many members are listed, all vote, and each serves reads through a quorum. */
    void awaitVoters(int size, Set<Long> without) throws InterruptedException {
        long begin = System.nanoTime();
        while (!areWell(size, without)) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new IllegalStateException("No %d healthy voters after %s".formatted(size, PATIENCE));
            }
            Thread.sleep(INTERVAL);
        }
    }

    /** The name of the member that leads. */
    String leader() throws InterruptedException {
        while (true) {
            for (ManagedChannel channel : connections.all()) {
                try {
                    long leader = status(channel).getLeader();
                    for (Member member : list(channel)) {
                        if (member.getID() == leader) {
                            return member.getName();
                        }
                    }
                } catch (StatusRuntimeException e) {
                    // another one will know
                }
            }
            Thread.sleep(INTERVAL);
        }
    }

    long id(String name) throws InterruptedException {
        while (true) {
            for (ManagedChannel channel : connections.all()) {
                try {
                    for (Member member : list(channel)) {
                        if (member.getName().equals(name)) {
                            return member.getID();
                        }
                    }
                } catch (StatusRuntimeException e) {
                    // another one will know
                }
            }
            Thread.sleep(INTERVAL);
        }
    }

    /** Only the leader takes it, so all are asked until the one that leads is the one that should. */
    void lead(String name) throws InterruptedException {
        long target = id(name);
        while (!leader().equals(name)) {
            for (ManagedChannel channel : connections.all()) {
                try {
                    MaintenanceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                            .moveLeader(MoveLeaderRequest.newBuilder()
                                    .setTargetID(target)
                                    .build());
                } catch (StatusRuntimeException e) {
                    // not the leader
                }
            }
            Thread.sleep(INTERVAL);
        }
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
                StatusResponse status = status(channel);
                KVGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
                        .range(RangeRequest.newBuilder()
                                .setKey(ByteString.copyFromUtf8("health"))
                                .build());
                List<Member> members = list(channel);
                if (members.stream().anyMatch(Member::getIsLearner)) {
                    return false;
                }
                members.forEach(member -> listed.add(member.getID()));
                well.add(status.getHeader().getMemberId());
            } catch (StatusRuntimeException e) {
                // not well: it may be none of the members, too
            }
        }
        return listed.size() == size && well.equals(listed) && listed.stream().noneMatch(without::contains);
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
