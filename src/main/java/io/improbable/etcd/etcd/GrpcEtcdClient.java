package io.improbable.etcd.etcd;

import com.google.protobuf.ByteString;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.etcd.EtcdException.Kind;
import io.improbable.etcd.etcd.proto.ClusterGrpc;
import io.improbable.etcd.etcd.proto.KVGrpc;
import io.improbable.etcd.etcd.proto.MaintenanceGrpc;
import io.improbable.etcd.etcd.proto.Member;
import io.improbable.etcd.etcd.proto.MemberAddRequest;
import io.improbable.etcd.etcd.proto.MemberListRequest;
import io.improbable.etcd.etcd.proto.MemberPromoteRequest;
import io.improbable.etcd.etcd.proto.MemberRemoveRequest;
import io.improbable.etcd.etcd.proto.MoveLeaderRequest;
import io.improbable.etcd.etcd.proto.RangeRequest;
import io.improbable.etcd.etcd.proto.StatusRequest;
import io.improbable.etcd.etcd.proto.StatusResponse;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/** The real client: one gRPC channel to one member. */
public final class GrpcEtcdClient implements EtcdClient {
    /** What etcd of all lines says to a change of its members that it will accept a little later. */
    private static final List<String> NOT_YET = List.of(
            "unhealthy cluster",
            "not enough started members",
            "in sync with leader",
            "too many learner members",
            "not leader",
            "leader changed",
            "leader transferee");

    private final ManagedChannel channel;

    public GrpcEtcdClient(Endpoint endpoint) {
        NettyChannelBuilder builder = NettyChannelBuilder.forTarget("dns:///" + endpoint.hostAndPort())
                .directExecutor()
                .disableRetry();
        endpoint.authority().ifPresent(builder::overrideAuthority);
        endpoint.tls().ifPresentOrElse(tls -> builder.sslContext(sslContext(tls)), builder::usePlaintext);
        this.channel = builder.build();
    }

    @Override
    public MemberStatus status(Duration deadline) throws EtcdException {
        return ask("status", () -> {
            StatusResponse answer = maintenance(deadline).status(StatusRequest.getDefaultInstance());
            return new MemberStatus(
                    new ClusterId(answer.getHeader().getClusterId()),
                    new MemberId(answer.getHeader().getMemberId()),
                    answer.getVersion(),
                    answer.getDbSize(),
                    new MemberId(answer.getLeader()),
                    answer.getIsLearner(),
                    answer.getRaftTerm(),
                    answer.getRaftIndex(),
                    List.copyOf(answer.getErrorsList()));
        });
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
                        .map(GrpcEtcdClient::listed)
                        .toList());
    }

    @Override
    public void add(String peerUrl, boolean learner, Duration deadline) throws EtcdException {
        var request = MemberAddRequest.newBuilder()
                .addPeerURLs(peerUrl)
                .setIsLearner(learner)
                .build();
        ask("member add", () -> cluster(deadline).memberAdd(request));
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
        ask(
                "linearizable read",
                () -> KVGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                        .range(health));
    }

    @Override
    public void whenDisconnected(Runnable told) {
        channel.notifyWhenStateChanged(ConnectivityState.READY, told);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }

    private ClusterGrpc.ClusterBlockingStub cluster(Duration deadline) {
        return ClusterGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private MaintenanceGrpc.MaintenanceBlockingStub maintenance(Duration deadline) {
        return MaintenanceGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    private <T> T ask(String what, Supplier<T> call) throws EtcdException {
        // The caller has its own rhythm: gRPC's back-off of up to two minutes would hide a member that is back.
        channel.resetConnectBackoff();
        try {
            return call.get();
        } catch (StatusRuntimeException e) {
            throw new EtcdException(kind(e), what + ": " + sentence(e), e);
        }
    }

    /** By etcd's own words: its codes are the same for what passes by itself and for what never will. */
    private static Kind kind(StatusRuntimeException e) {
        String words = String.valueOf(e.getStatus().getDescription());
        if (NOT_YET.stream().anyMatch(words::contains)) {
            return Kind.NOT_YET;
        }
        return switch (e.getStatus().getCode()) {
            case INVALID_ARGUMENT, FAILED_PRECONDITION, NOT_FOUND, ALREADY_EXISTS, UNIMPLEMENTED, PERMISSION_DENIED ->
                Kind.REFUSED;
            default -> Kind.NO_ANSWER;
        };
    }

    private static String sentence(StatusRuntimeException e) {
        return switch (e.getStatus().getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time";
            case UNAVAILABLE -> "no connection";
            default -> e.getStatus().getCode() + " " + e.getStatus().getDescription();
        };
    }

    private static ListedMember listed(Member member) {
        return new ListedMember(
                new MemberId(member.getID()),
                member.getName(),
                List.copyOf(member.getPeerURLsList()),
                List.copyOf(member.getClientURLsList()),
                member.getIsLearner());
    }

    private static SslContext sslContext(TlsMaterial tls) {
        try {
            return GrpcSslContexts.forClient()
                    .trustManager(pem(tls.trustedCertificates()))
                    .keyManager(pem(tls.certificateChain()), pem(tls.privateKey()))
                    .build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("the TLS material of this cluster cannot be used: " + e.getMessage(), e);
        }
    }

    private static InputStream pem(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }
}
