package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.etcd.Credentials;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.GrpcEtcdClient;
import etcdoperator.etcd.grpc.SnapshotSource;
import etcdoperator.etcd.grpc.SnapshotStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The etcd of one member that runs beside the agent, in the same pod and for it alone. */
final class LocalEtcd implements AutoCloseable {
    private static final int CHUNK = 64 << 10;
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration CENSUS = Duration.ofMinutes(10);
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final Set<Kind> PASSING = Set.of(Kind.NO_ANSWER, Kind.NOT_YET);

    private final URI url;
    private final SnapshotSource source;
    private final EtcdClient client;

    LocalEtcd(URI url, Optional<Credentials> user) {
        this.url = url;
        var endpoint = new Endpoint(url, Optional.empty(), Optional.empty(), user);
        this.source = new SnapshotSource(endpoint);
        this.client = new GrpcEtcdClient(endpoint);
    }

    /** For whatever else is asked of it. */
    EtcdClient client() {
        return client;
    }

    /**
     * Returns once it has done all that is in its log: it leads itself, and once it has done an entry of this term, it
     * has done everything before it.
     */
    MemberStatus awaitCaughtUp(Duration patience) throws AgentException {
        Instant end = Instant.now().plus(patience);
        while (true) {
            Duration left = Duration.between(Instant.now(), end);
            try {
                source.awaitStatus(left.isNegative() ? Duration.ofMillis(1) : left);
                client.linearizableRead(ANSWER);
                client.commitNothing(ANSWER);
                return source.status(ANSWER);
            } catch (EtcdException e) {
                if (!PASSING.contains(e.kind())) {
                    throw AgentException.fatal("etcd at %s does not let the agent read: %s".formatted(url, e.why()));
                }
                if (!Instant.now().isBefore(end)) {
                    throw AgentException.forNow("etcd at %s has not come up within %d seconds (%s)"
                            .formatted(url, patience.toSeconds(), e.why()));
                }
            }
        }
    }

    /** How much of its log it has done. */
    long appliedIndex() throws AgentException {
        try {
            return source.appliedIndex(ANSWER);
        } catch (EtcdException e) {
            throw AgentException.forNow("etcd at %s does not say how far it is: %s".formatted(url, e.why()));
        }
    }

    /** What its keys amount to at a revision that it has. */
    Contents contents(long revision) throws AgentException {
        try {
            Hash hash = source.hashKv(revision, CENSUS);
            return new Contents(hash.hash(), hash.compactRevision(), source.countKeys(revision, CENSUS));
        } catch (EtcdException e) {
            String said =
                    "etcd at %s cannot be asked for its keys at revision %d: %s".formatted(url, revision, e.why());
            throw PASSING.contains(e.kind()) ? AgentException.forNow(said) : AgentException.fatal(said);
        }
    }

    /** Writes its snapshot to a file, verified. */
    SnapshotCheck.Found save(Path file) throws IOException, AgentException {
        var check = new SnapshotCheck();
        byte[] some = new byte[CHUNK];
        try (SnapshotStream in = source.open(SILENCE);
                OutputStream out = Files.newOutputStream(file)) {
            for (int length = in.read(some); length >= 0; length = in.read(some)) {
                check.update(some, 0, length);
                out.write(some, 0, length);
            }
        } catch (EtcdException e) {
            String said = "etcd at %s gives no snapshot: %s".formatted(url, e.why());
            throw PASSING.contains(e.kind()) ? AgentException.forNow(said) : AgentException.fatal(said);
        }
        RestoreFolder.sync(file);
        return check.verify();
    }

    @Override
    public void close() {
        source.close();
        client.close();
    }
}
