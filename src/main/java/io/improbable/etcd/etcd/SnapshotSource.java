package io.improbable.etcd.etcd;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.improbable.etcd.etcd.EtcdClient.MemberStatus;
import io.improbable.etcd.etcd.EtcdException.Kind;
import io.improbable.etcd.etcd.proto.MaintenanceGrpc;
import io.improbable.etcd.etcd.proto.SnapshotRequest;
import io.improbable.etcd.etcd.proto.StatusRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A member to take a snapshot from. It works without quorum, as long as the member has not restarted since, and etcd
 * asks for no password: nobody can log in without a quorum.
 */
public final class SnapshotSource implements AutoCloseable {
    private final ManagedChannel connection;
    private final Session session;
    private final Channel channel;
    private final boolean hasPassword;

    public SnapshotSource(Endpoint endpoint) {
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
        return Translation.status(session.ask(
                "status",
                connection,
                () -> MaintenanceGrpc.newBlockingStub(channel)
                        .withWaitForReady()
                        .withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS)
                        .status(StatusRequest.getDefaultInstance())));
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

    @Override
    public void close() {
        connection.shutdownNow();
    }
}
