package etcdoperator.agent;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.grpc.proto.HashKVRequest;
import etcdoperator.etcd.grpc.proto.HashKVResponse;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import etcdoperator.etcd.grpc.proto.RangeResponse;
import etcdoperator.etcd.grpc.proto.ResponseHeader;
import etcdoperator.etcd.grpc.proto.SnapshotRequest;
import etcdoperator.etcd.grpc.proto.SnapshotResponse;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import etcdoperator.etcd.grpc.proto.StatusResponse;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/** What an agent sees of a member of etcd: its status, whether a quorum confirms it, and its snapshot. */
final class ScriptedMember implements AutoCloseable {
    private final long cluster;
    private final int revision;
    private final boolean learner;
    private final boolean confirmed;
    private final Server server;

    private ScriptedMember(long cluster, int revision, boolean learner, boolean confirmed) {
        this.cluster = cluster;
        this.revision = revision;
        this.learner = learner;
        this.confirmed = confirmed;
        try {
            this.server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                    .addService(new Upkeep())
                    .addService(new Keys())
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ScriptedMember withQuorum(long cluster, int revision) {
        return new ScriptedMember(cluster, revision, false, true);
    }

    static ScriptedMember alone(long cluster, int revision) {
        return new ScriptedMember(cluster, revision, false, false);
    }

    static ScriptedMember learning(long cluster, int revision) {
        return new ScriptedMember(cluster, revision, true, false);
    }

    String url() {
        return "http://127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private final class Upkeep extends MaintenanceGrpc.MaintenanceImplBase {
        @Override
        public void status(StatusRequest request, StreamObserver<StatusResponse> answer) {
            say(
                    answer,
                    StatusResponse.newBuilder()
                            .setHeader(ResponseHeader.newBuilder()
                                    .setClusterId(cluster)
                                    .setMemberId(7)
                                    .setRevision(revision))
                            .setVersion("3.6.16")
                            .setIsLearner(learner)
                            .build());
        }

        @Override
        public void snapshot(SnapshotRequest request, StreamObserver<SnapshotResponse> answer) {
            say(
                    answer,
                    SnapshotResponse.newBuilder()
                            .setBlob(ByteString.copyFrom(BoltFile.snapshotOf(revision)))
                            .build());
        }

        @Override
        public void hashKV(HashKVRequest request, StreamObserver<HashKVResponse> answer) {
            say(answer, HashKVResponse.getDefaultInstance());
        }
    }

    private final class Keys extends KVGrpc.KVImplBase {
        @Override
        public void range(RangeRequest request, StreamObserver<RangeResponse> answer) {
            if (request.getSerializable() || confirmed) {
                say(answer, RangeResponse.getDefaultInstance());
            } else {
                answer.onError(Status.UNAVAILABLE
                        .withDescription("etcdserver: request timed out")
                        .asRuntimeException());
            }
        }
    }

    private static <T> void say(StreamObserver<T> to, T answer) {
        to.onNext(answer);
        to.onCompleted();
    }
}
