package etcdoperator.training;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.ResponseHeader;
import etcdoperator.etcd.grpc.proto.SnapshotRequest;
import etcdoperator.etcd.grpc.proto.SnapshotResponse;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import etcdoperator.etcd.grpc.proto.StatusResponse;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The run from which the AOT cache of the agent is made: a backup of a small database, from a member of etcd to an S3
 * store that both say what the agent wants to hear.
 *
 * <p>Usage: {@code packaging/tool etcdoperator.training.AgentTraining FOLDER COMMAND...}
 */
public final class AgentTraining {
    /** As etcd sends them. */
    private static final int MESSAGE = 32 << 10;

    private AgentTraining() {}

    public static void main(String[] args) throws Exception {
        Path folder = Files.createDirectories(Path.of(args[0]));
        Server member = member(SmallDatabase.snapshot());
        HttpServer store = store();
        List<String> command = new ArrayList<>(List.of(args).subList(1, args.length));
        command.addAll(List.of(
                "backup",
                "--endpoints=http://127.0.0.1:" + member.getPort(),
                "--path=training.db",
                "--time=2026-01-31T12:00:00Z",
                "--http-port=" + freePort(),
                "--bucket-url=s3://training",
                "--endpoint=http://127.0.0.1:" + store.getAddress().getPort(),
                "--allowed-endpoints=http://127.0.0.1",
                "--credentials=aws",
                "--credentials-dir=" + credentials(folder)));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("agent.log").toFile());
        builder.environment()
                .putAll(Map.of("TERMINATION_LOG", folder.resolve("last-words").toString(), "HOME", folder.toString()));
        int exit = builder.start().waitFor();
        System.out.printf("    training run of the agent over: exit code %d%n", exit);
        System.exit(exit);
    }

    private static Path credentials(Path folder) throws IOException {
        Path files = Files.createDirectories(folder.resolve("credentials"));
        for (String key : List.of("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")) {
            Files.writeString(files.resolve(key), "training");
        }
        return files;
    }

    private static Server member(byte[] snapshot) throws IOException {
        var header = ResponseHeader.newBuilder()
                .setClusterId(0xc1)
                .setMemberId(0x11)
                .setRevision(2)
                .build();
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new MaintenanceGrpc.MaintenanceImplBase() {
                    @Override
                    public void status(StatusRequest request, StreamObserver<StatusResponse> answers) {
                        answers.onNext(StatusResponse.newBuilder()
                                .setHeader(header)
                                .setVersion("3.6.0")
                                .build());
                        answers.onCompleted();
                    }

                    @Override
                    public void snapshot(SnapshotRequest request, StreamObserver<SnapshotResponse> answers) {
                        for (int at = 0; at < snapshot.length; at += MESSAGE) {
                            int length = Math.min(MESSAGE, snapshot.length - at);
                            answers.onNext(SnapshotResponse.newBuilder()
                                    .setRemainingBytes(snapshot.length - at - length)
                                    .setBlob(ByteString.copyFrom(snapshot, at, length))
                                    .build());
                        }
                        answers.onCompleted();
                    }
                })
                .build()
                .start();
    }

    private static HttpServer store() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", AgentTraining::answer);
        server.setExecutor(Thread::startVirtualThread);
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        String asked = exchange.getRequestMethod() + (query == null ? "" : " " + query.replaceAll("=.*", ""));
        exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
        exchange.getResponseHeaders().set("ETag", "\"training\"");
        byte[] body = (switch (asked) {
                    case "GET uploads", "GET prefix" -> "<ListMultipartUploadsResult/>";
                    case "POST uploads" ->
                        "<InitiateMultipartUploadResult><UploadId>training</UploadId></InitiateMultipartUploadResult>";
                    case "POST uploadId" -> "<CompleteMultipartUploadResult/>";
                    default -> "";
                })
                .getBytes(UTF_8);
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
