package etcdoperator.training;

import etcdoperator.etcd.grpc.proto.ClusterGrpc;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.Member;
import etcdoperator.etcd.grpc.proto.MemberListRequest;
import etcdoperator.etcd.grpc.proto.MemberListResponse;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import etcdoperator.etcd.grpc.proto.RangeResponse;
import etcdoperator.etcd.grpc.proto.ResponseHeader;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import etcdoperator.etcd.grpc.proto.StatusResponse;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Members of a healthy etcd cluster, each on a loopback address of its own, with the first as leader. */
final class Members {
    private static final int CLIENT_PORT = 2379;
    private static final long CLUSTER_ID = 0xc1;
    private static final long FIRST_ID = 0x11;

    private final String cluster;
    private final int size;
    private final String version;

    Members(String cluster, int size, String version) {
        this.cluster = cluster;
        this.size = size;
        this.version = version;
    }

    /** Starts the member of this name and returns its address. */
    String start(String name) throws IOException {
        int ordinal = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
        String address = "127.83.%d.%d".formatted(ProcessHandle.current().pid() % 256, ordinal + 1);
        var header = ResponseHeader.newBuilder()
                .setClusterId(CLUSTER_ID)
                .setMemberId(FIRST_ID + ordinal)
                .setRaftTerm(2)
                .build();
        NettyServerBuilder.forAddress(new InetSocketAddress(address, CLIENT_PORT))
                .addService(new MaintenanceGrpc.MaintenanceImplBase() {
                    @Override
                    public void status(StatusRequest request, StreamObserver<StatusResponse> answers) {
                        answer(
                                answers,
                                StatusResponse.newBuilder()
                                        .setHeader(header)
                                        .setVersion(version)
                                        .setLeader(FIRST_ID)
                                        .setRaftTerm(2)
                                        .setRaftIndex(9)
                                        .build());
                    }
                })
                .addService(new ClusterGrpc.ClusterImplBase() {
                    @Override
                    public void memberList(MemberListRequest request, StreamObserver<MemberListResponse> answers) {
                        answer(answers, list(header));
                    }
                })
                .addService(new KVGrpc.KVImplBase() {
                    @Override
                    public void range(RangeRequest request, StreamObserver<RangeResponse> answers) {
                        answer(
                                answers,
                                RangeResponse.newBuilder().setHeader(header).build());
                    }
                })
                .build()
                .start();
        return address;
    }

    private MemberListResponse list(ResponseHeader header) {
        var list = MemberListResponse.newBuilder().setHeader(header);
        for (int i = 0; i < size; i++) {
            list.addMembers(Member.newBuilder()
                    .setID(FIRST_ID + i)
                    .setName(cluster + "-" + i)
                    .addPeerURLs("http://" + cluster + "-" + i + ":2380")
                    .addClientURLs("http://" + cluster + "-" + i + ":2379"));
        }
        return list.build();
    }

    private static <T> void answer(StreamObserver<T> answers, T answer) {
        answers.onNext(answer);
        answers.onCompleted();
    }
}
