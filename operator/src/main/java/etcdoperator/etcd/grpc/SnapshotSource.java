package etcdoperator.etcd.grpc;

import com.google.protobuf.ByteString;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.proto.HashKVRequest;
import etcdoperator.etcd.grpc.proto.HashKVResponse;
import etcdoperator.etcd.grpc.proto.KVGrpc;
import etcdoperator.etcd.grpc.proto.MaintenanceGrpc;
import etcdoperator.etcd.grpc.proto.RangeRequest;
import etcdoperator.etcd.grpc.proto.SnapshotRequest;
import etcdoperator.etcd.grpc.proto.StatusRequest;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A member to take a snapshot from, or one that runs on a snapshot. It works without quorum, as long as the member has
 * not restarted since, and etcd asks for no password: nobody can log in without a quorum.
 */
public final class SnapshotSource implements AutoCloseable {
    /** As the beginning and as the end of a range: from the first key to the last. */
    private static final ByteString EVERY_KEY = ByteString.copyFrom(new byte[1]);

    private static final Duration KNOCK_AGAIN = Duration.ofMillis(50);

    private final URI url;
    private final ManagedChannel connection;
    private final Session session;
    private final Channel channel;
    private final boolean hasPassword;

    public SnapshotSource(Endpoint endpoint) {
        this.url = endpoint.url();
        this.connection = Channels.to(endpoint);
        this.session = new Session(endpoint);
        this.channel = ClientInterceptors.intercept(connection, session);
        this.hasPassword = endpoint.credentials().isPresent();
    }

    public MemberStatus status(Duration deadline) throws EtcdException {
        return Translation.status(session.ask(
                "status",
                connection,
                () -> MaintenanceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                        .status(StatusRequest.getDefaultInstance())));
    }

    /** Waits for a member that is not there yet, as long as the deadline allows. */
    public MemberStatus awaitStatus(Duration deadline) throws EtcdException {
        long end = System.nanoTime() + deadline.toNanos();
        awaitPort(end);
        long left = Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
        return Translation.status(session.ask(
                "status",
                connection,
                () -> MaintenanceGrpc.newBlockingStub(channel)
                        .withWaitForReady()
                        .withDeadlineAfter(left, TimeUnit.MILLISECONDS)
                        .status(StatusRequest.getDefaultInstance())));
    }

    /** gRPC comes back to who has refused it only after a second and more. */
    private void awaitPort(long end) {
        while (!isListening()
                && System.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(KNOCK_AGAIN.toNanos());
        }
    }

    private boolean isListening() {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int) KNOCK_AGAIN.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The last entry of its log that the member has done. */
    public long appliedIndex(Duration deadline) throws EtcdException {
        return session.ask(
                        "status",
                        connection,
                        () -> MaintenanceGrpc.newBlockingStub(channel)
                                .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                                .status(StatusRequest.getDefaultInstance()))
                .getRaftAppliedIndex();
    }

    /** @param silence how long the member may send nothing, at the beginning and later */
    public SnapshotStream open(Duration silence) throws EtcdException {
        try {
            // The first bytes are waited for: only they show that the member knows us and has something to send.
            return session.ask("snapshot", connection, () -> {
                var stream = new SnapshotStream(silence);
                MaintenanceGrpc.newStub(channel).snapshot(SnapshotRequest.getDefaultInstance(), stream.receiver());
                stream.awaitFirst();
                return stream;
            });
        } catch (EtcdException e) {
            if (e.kind() == Kind.NO_ANSWER && hasPassword) {
                throw new EtcdException(
                        Kind.NO_ANSWER, e.why() + ": where etcd asks for a password, a quorum has to hear it", e);
            }
            throw e;
        }
    }

    /** As {@link EtcdClient#hashKv} says; 0 is no revision here. */
    public Hash hashKv(long revision, Duration deadline) throws EtcdException {
        var request = HashKVRequest.newBuilder().setRevision(revision).build();
        HashKVResponse answer = session.ask(
                "hash",
                connection,
                () -> MaintenanceGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                        .hashKV(request));
        return new Hash(Integer.toUnsignedLong(answer.getHash()), revision, answer.getCompactRevision());
    }

    /** How many keys there were at a revision; without asking the other members, as a snapshot is. */
    public long countKeys(long revision, Duration deadline) throws EtcdException {
        var all = RangeRequest.newBuilder()
                .setKey(EVERY_KEY)
                .setRangeEnd(EVERY_KEY)
                .setRevision(revision)
                .setSerializable(true)
                .setCountOnly(true)
                .build();
        return session.ask(
                "count",
                connection,
                () -> KVGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                        .range(all)
                        .getCount());
    }

    @Override
    public void close() {
        connection.shutdownNow();
    }
}
