package etcdoperator.etcd.grpc;

import com.google.protobuf.ByteString;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Accounts;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.proto.AlarmRequest;
import etcdoperator.etcd.grpc.proto.AlarmRequest.AlarmAction;
import etcdoperator.etcd.grpc.proto.AlarmType;
import etcdoperator.etcd.grpc.proto.ClusterGrpc;
import etcdoperator.etcd.grpc.proto.CompactionRequest;
import etcdoperator.etcd.grpc.proto.DefragmentRequest;
import etcdoperator.etcd.grpc.proto.DowngradeRequest;
import etcdoperator.etcd.grpc.proto.DowngradeRequest.DowngradeAction;
import etcdoperator.etcd.grpc.proto.HashKVRequest;
import etcdoperator.etcd.grpc.proto.HashKVResponse;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.LeaseGrpc;
import etcdoperator.etcd.grpc.proto.LeaseRevokeRequest;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.MemberAddRequest;
import etcdoperator.etcd.grpc.proto.MemberListRequest;
import etcdoperator.etcd.grpc.proto.MemberPromoteRequest;
import etcdoperator.etcd.grpc.proto.MemberRemoveRequest;
import etcdoperator.etcd.grpc.proto.MemberUpdateRequest;
import etcdoperator.etcd.grpc.proto.MoveLeaderRequest;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The real client: one gRPC channel to one member. */
public final class GrpcEtcdClient implements EtcdClient {
    private final ManagedChannel connection;
    private final Session session;
    private final Channel channel;

    public GrpcEtcdClient(Endpoint endpoint) {
        this.connection = Channels.to(endpoint);
        this.session = new Session(endpoint);
        this.channel = ClientInterceptors.intercept(connection, session);
    }

    @Override
    public MemberStatus status(Duration deadline) throws EtcdException {
        return Translation.status(
                ask("status", () -> maintenance(deadline).status(StatusRequest.getDefaultInstance())));
    }

    @Override
    public List<ListedMember> members(Duration deadline) throws EtcdException {
        return members(false, deadline);
    }

    /** The read first: 3.4 knows no other way to have a member catch up with what a quorum has agreed on. */
    @Override
    public List<ListedMember> agreedMembers(Duration deadline) throws EtcdException {
        linearizableRead(deadline);
        return members(true, deadline);
    }

    private List<ListedMember> members(boolean agreed, Duration deadline) throws EtcdException {
        return ask(
                "member list",
                () -> cluster(deadline)
                        .memberList(MemberListRequest.newBuilder()
                                .setLinearizable(agreed)
                                .build())
                        .getMembersList()
                        .stream()
                        .map(Translation::member)
                        .toList());
    }

    @Override
    public MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
        var request = MemberAddRequest.newBuilder()
                .addPeerURLs(peerUrl)
                .setIsLearner(learner)
                .build();
        return new MemberId(ask(
                "member add",
                () -> cluster(deadline).memberAdd(request).getMember().getID()));
    }

    @Override
    public void remove(MemberId member, Duration deadline) throws EtcdException {
        var request = MemberRemoveRequest.newBuilder().setID(member.value()).build();
        ask("member remove", () -> cluster(deadline).memberRemove(request));
    }

    @Override
    public void promote(MemberId learner, Duration deadline) throws EtcdException {
        var request = MemberPromoteRequest.newBuilder().setID(learner.value()).build();
        ask("member promote", () -> cluster(deadline).memberPromote(request));
    }

    @Override
    public void relist(MemberId member, String peerUrl, Duration deadline) throws EtcdException {
        var request = MemberUpdateRequest.newBuilder()
                .setID(member.value())
                .addPeerURLs(peerUrl)
                .build();
        ask("member update", () -> cluster(deadline).memberUpdate(request));
    }

    @Override
    public void moveLeader(MemberId to, Duration deadline) throws EtcdException {
        var request = MoveLeaderRequest.newBuilder().setTargetID(to.value()).build();
        ask("move leader", () -> maintenance(deadline).moveLeader(request));
    }

    @Override
    public void linearizableRead(Duration deadline) throws EtcdException {
        var health = RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8("health"))
                .setCountOnly(true)
                .build();
        ask("linearizable read", () -> kv(deadline).range(health));
    }

    @Override
    public void defragment(Duration deadline) throws EtcdException {
        ask("defragment", () -> maintenance(deadline).defragment(DefragmentRequest.getDefaultInstance()));
    }

    /** Before 3.6 the revision is only told as that of the whole answer. */
    @Override
    public Hash hashKv(long revision, Duration deadline) throws EtcdException {
        var request = HashKVRequest.newBuilder().setRevision(revision).build();
        HashKVResponse answer = ask("hash", () -> maintenance(deadline).hashKV(request));
        long asked = revision == 0 ? answer.getHeader().getRevision() : revision;
        long told = answer.getHashRevision();
        return new Hash(
                Integer.toUnsignedLong(answer.getHash()), told == 0 ? asked : told, answer.getCompactRevision());
    }

    @Override
    public void compact(long revision, Duration deadline) throws EtcdException {
        var request = CompactionRequest.newBuilder()
                .setRevision(revision)
                .setPhysical(true)
                .build();
        unlessItSays(Refusals.COMPACTED, () -> ask("compact", () -> kv(deadline).compact(request)));
    }

    @Override
    public void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) throws EtcdException {
        var request = AlarmRequest.newBuilder()
                .setAction(AlarmAction.DEACTIVATE)
                .setMemberID(member.value())
                .setAlarm(
                        switch (alarm) {
                            case NOSPACE -> AlarmType.NOSPACE;
                            case CORRUPT -> AlarmType.CORRUPT;
                        })
                .build();
        ask("disarm", () -> maintenance(deadline).alarm(request));
    }

    @Override
    public void enableDowngrade(String minor, Duration deadline) throws EtcdException {
        try {
            downgrade(DowngradeAction.ENABLE, minor, deadline);
        } catch (EtcdException e) {
            boolean another = Refusals.says(e, Refusals.DOWNGRADE_IN_PROGRESS);
            if (!another && !Refusals.says(e, Refusals.WRONG_DOWNGRADE_TARGET)) {
                throw e;
            }
            MemberStatus now = status(deadline);
            if (!now.downgrade().equals(Optional.of(minor + ".0"))) {
                // Another one ends by itself, once all members have arrived.
                throw another || isOneBelow(minor, now) ? new EtcdException(Kind.NOT_YET, e.why(), e) : e;
            }
        }
    }

    private static boolean isOneBelow(String minor, MemberStatus member) {
        EtcdVersion runs = EtcdVersion.parse(member.version());
        return minor.equals(runs.major() + "." + (runs.minor() - 1));
    }

    /** etcd says yes even where it failed, so that what counts is what it says after. */
    @Override
    public void cancelDowngrade(Duration deadline) throws EtcdException {
        unlessItSays(Refusals.NO_DOWNGRADE, () -> downgrade(DowngradeAction.CANCEL, "", deadline));
        if (status(deadline).downgrade().isPresent()) {
            throw new EtcdException(Kind.NO_ANSWER, "cancel downgrade: etcd still has one on its way");
        }
    }

    private void downgrade(DowngradeAction action, String version, Duration deadline) throws EtcdException {
        var request = DowngradeRequest.newBuilder()
                .setAction(action)
                .setVersion(version)
                .build();
        ask("downgrade", () -> maintenance(deadline).downgrade(request));
    }

    /** No lease has the id 0, and etcd finds that out only once a quorum has agreed to revoke it. */
    @Override
    public void commitNothing(Duration deadline) throws EtcdException {
        var request = LeaseRevokeRequest.newBuilder().setID(0).build();
        unlessItSays(
                Refusals.LEASE_NOT_FOUND,
                () -> ask(
                        "commit",
                        () -> LeaseGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                                .leaseRevoke(request)));
    }

    @Override
    public Accounts accounts() {
        return new GrpcAccounts(channel, this::ask);
    }

    @Override
    public void whenDisconnected(Runnable told) {
        connection.notifyWhenStateChanged(ConnectivityState.READY, told);
    }

    @Override
    public void close() {
        connection.shutdownNow();
    }

    private KVGrpc.KVBlockingStub kv(Duration deadline) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private ClusterGrpc.ClusterBlockingStub cluster(Duration deadline) {
        return ClusterGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private MaintenanceGrpc.MaintenanceBlockingStub maintenance(Duration deadline) {
        return MaintenanceGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private <T> T ask(String what, Supplier<T> call) throws EtcdException {
        // The caller has its own rhythm: gRPC's back-off of up to two minutes would hide a member that is back.
        connection.resetConnectBackoff();
        return session.ask(what, connection, call);
    }

    private interface Call {
        void run() throws EtcdException;
    }

    /** Some refusals mean that there is nothing left to do. */
    private static void unlessItSays(String words, Call call) throws EtcdException {
        try {
            call.run();
        } catch (EtcdException e) {
            if (!Refusals.says(e, words)) {
                throw e;
            }
        }
    }
}
