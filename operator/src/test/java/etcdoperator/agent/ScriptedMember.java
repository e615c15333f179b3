package etcdoperator.agent;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.Endpoint;
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

/** A gRPC server that answers as one member would. */
final class ScriptedMember implements AutoCloseable {
    private final Server server;
    private final int port;
    private volatile boolean behind;
    private volatile boolean withoutSnapshot;

    private ScriptedMember(long clusterId, long revision) {
        var header = ResponseHeader.newBuilder()
                .setClusterId(clusterId)
                .setMemberId(revision)
                .setRevision(revision)
                .build();
        try {
            server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                    .addService(new Maintenance(header))
                    .addService(new Keys())
                    .build()
                    .start();
            port = server.getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ScriptedMember of(long clusterId, long revision) {
        return new ScriptedMember(clusterId, revision);
    }

    Endpoint endpoint() {
        return Endpoint.plain("127.0.0.1", port);
    }

    /** No linearizable read through it is answered in time. */
    void isBehind() {
        behind = true;
    }

    void givesNoSnapshot() {
        withoutSnapshot = true;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private final class Maintenance extends MaintenanceGrpc.MaintenanceImplBase {
        private final ResponseHeader header;

        Maintenance(ResponseHeader header) {
            this.header = header;
        }

        @Override
        public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
            to.onNext(StatusResponse.newBuilder()
                    .setHeader(header)
                    .setVersion("3.6.16")
                    .build());
            to.onCompleted();
        }

        @Override
        public void snapshot(SnapshotRequest request, StreamObserver<SnapshotResponse> to) {
            if (withoutSnapshot) {
                to.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            to.onNext(SnapshotResponse.newBuilder()
                    .setBlob(ByteString.copyFrom(new byte[512]))
                    .build());
            to.onCompleted();
        }
    }

    private final class Keys extends KVGrpc.KVImplBase {
        @Override
        public void range(RangeRequest request, StreamObserver<RangeResponse> to) {
            if (behind && !request.getSerializable()) {
                to.onError(Status.UNAVAILABLE
                        .withDescription("etcdserver: request timed out")
                        .asRuntimeException());
                return;
            }
            to.onNext(RangeResponse.getDefaultInstance());
            to.onCompleted();
        }
    }
}
