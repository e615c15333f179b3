package etcdoperator.agent;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import etcdoperator.contract.etcd.EtcdBinary;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.PutRequest;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A member without TLS, as the tests use it beside the agent: its keys, and etcd's own tools. */
final class Etcd implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int AT_ONCE = 64;

    private final String version;
    private final Endpoint endpoint;
    private final EtcdClient client;
    private final ManagedChannel channel;
    private final SplittableRandom random = new SplittableRandom(1);

    Etcd(String version, Endpoint endpoint) {
        this.version = version;
        this.endpoint = endpoint;
        this.client = new GrpcEtcdClient(endpoint);
        this.channel = ManagedChannelBuilder.forTarget(endpoint.hostAndPort())
                .usePlaintext()
                .build();
    }

    Etcd awaitWell() {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            try {
                client.linearizableRead(DEADLINE);
                return true;
            } catch (EtcdException e) {
                return false;
            }
        });
        return this;
    }

    long revision() throws EtcdException {
        return client.status(DEADLINE).revision();
    }

    void put(int count, int valueSize) {
        var free = new Semaphore(AT_ONCE);
        byte[] value = new byte[valueSize];
        var kv = KVGrpc.newFutureStub(channel);
        for (int i = 0; i < count; i++) {
            random.nextBytes(value);
            free.acquireUninterruptibly();
            kv.put(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8("key-" + valueSize + "-" + i))
                            .setValue(ByteString.copyFrom(value))
                            .build())
                    .addListener(free::release, Runnable::run);
        }
        free.acquireUninterruptibly(AT_ONCE);
    }

    void put(String key, String value) throws ExecutionException, InterruptedException {
        KVGrpc.newFutureStub(channel)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8(value))
                        .build())
                .get();
    }

    void put(String key, String value, Duration deadline) throws ExecutionException, InterruptedException {
        KVGrpc.newFutureStub(channel)
                .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                .put(PutRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .setValue(ByteString.copyFromUtf8(value))
                        .build())
                .get();
    }

    /** All that begin with it. */
    Set<String> keys(String prefix) {
        byte[] end = prefix.getBytes(StandardCharsets.UTF_8);
        end[end.length - 1]++;
        return KVGrpc.newBlockingStub(channel)
                .range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(prefix))
                        .setRangeEnd(ByteString.copyFrom(end))
                        .setKeysOnly(true)
                        .build())
                .getKvsList()
                .stream()
                .map(kv -> kv.getKey().toStringUtf8())
                .collect(Collectors.toSet());
    }

    String get(String key) {
        return KVGrpc.newBlockingStub(channel)
                .range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .build())
                .getKvs(0)
                .getValue()
                .toStringUtf8();
    }

    void ctl(String... words) {
        List<String> command = new ArrayList<>(List.of("--endpoints=" + endpoint.url(), "--command-timeout=60s"));
        command.addAll(List.of(words));
        tool(version, "etcdctl", command.toArray(String[]::new));
    }

    @Override
    public void close() {
        client.close();
        channel.shutdownNow();
    }

    /** As etcd's own tools read it out of a snapshot. */
    static long revisionByTools(String version, Path snapshot) {
        String tool = version.startsWith("3.4") ? "etcdctl" : "etcdutl";
        String said = tool(version, tool, "snapshot", "status", snapshot.toString(), "--write-out=json");
        return Long.parseLong(said.replaceAll("(?s).*\"revision\":(\\d+).*", "$1"));
    }

    static String tool(String version, String name, String... words) {
        List<String> command = new ArrayList<>();
        command.add(EtcdBinary.of(version).resolveSibling(name).toString());
        command.addAll(List.of(words));
        try {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("ETCDCTL_API", "3");
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(command + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
