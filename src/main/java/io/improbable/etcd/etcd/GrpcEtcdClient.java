package io.improbable.etcd.etcd;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.etcd.proto.ClusterGrpc;
import io.improbable.etcd.etcd.proto.KVGrpc;
import io.improbable.etcd.etcd.proto.MaintenanceGrpc;
import io.improbable.etcd.etcd.proto.Member;
import io.improbable.etcd.etcd.proto.MemberListRequest;
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
            StatusResponse answer = MaintenanceGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                    .status(StatusRequest.getDefaultInstance());
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
        return ask(
                "member list",
                () -> ClusterGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                        .memberList(MemberListRequest.newBuilder()
                                .setLinearizable(false)
                                .build())
                        .getMembersList()
                        .stream()
                        .map(GrpcEtcdClient::listed)
                        .toList());
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
    public void close() {
        channel.shutdownNow();
    }

    private <T> T ask(String what, Supplier<T> call) throws EtcdException {
        // The caller has its own rhythm: gRPC's back-off of up to two minutes would hide a member that is back.
        channel.resetConnectBackoff();
        try {
            return call.get();
        } catch (StatusRuntimeException e) {
            throw new EtcdException(what + ": " + sentence(e), e);
        }
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
