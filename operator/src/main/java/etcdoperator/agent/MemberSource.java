package etcdoperator.agent;

import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.grpc.SnapshotSource;
import etcdoperator.etcd.grpc.SnapshotStream;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member that is running. */
final class MemberSource implements Source {
    private static final Logger LOG = LoggerFactory.getLogger(MemberSource.class);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** A member reads all it has for it; one that takes longer has other things to do. */
    private static final Duration CENSUS = Duration.ofMinutes(2);

    private final Endpoint endpoint;
    private final MemberStatus status;
    private final SnapshotSource member;
    private final SnapshotStream stream;
    private final Instant takenAt;

    private MemberSource(
            Endpoint endpoint, MemberStatus status, SnapshotSource member, SnapshotStream stream, Instant takenAt) {
        this.endpoint = endpoint;
        this.status = status;
        this.member = member;
        this.stream = stream;
        this.takenAt = takenAt.truncatedTo(ChronoUnit.MILLIS);
    }

    /** @param deadline for all but the snapshot */
    static MemberSource open(Endpoint endpoint, Duration deadline) throws EtcdException {
        var member = new SnapshotSource(endpoint);
        try {
            MemberStatus status = member.status(deadline);
            SnapshotStream stream = member.open(SILENCE);
            return new MemberSource(endpoint, status, member, stream, Instant.now());
        } catch (EtcdException e) {
            member.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "the snapshot from " + endpoint.url();
    }

    @Override
    public String place() {
        return endpoint.url().toString();
    }

    @Override
    public long revision() {
        return status.revision();
    }

    @Override
    public String version() {
        return status.version();
    }

    @Override
    public Optional<String> clusterId() {
        return Optional.of(status.clusterId().toString());
    }

    @Override
    public Instant takenAt() {
        return takenAt;
    }

    @Override
    public long sizeBytes() {
        return stream.databaseBytes() + SnapshotCheck.HASH;
    }

    /** A backup without it is as good: only there is less to hold it against when it is tried. */
    @Override
    public Optional<Contents> contents(long atRevision) {
        try {
            Hash hash = member.hashKv(atRevision, CENSUS);
            return Optional.of(new Contents(hash.hash(), hash.compactRevision(), member.countKeys(atRevision, CENSUS)));
        } catch (EtcdException e) {
            LOG.info("Hash and number of keys are not recorded: {}", e.why());
            return Optional.empty();
        }
    }

    @Override
    public InputStream stream() {
        return stream;
    }

    @Override
    public void close() {
        stream.close();
        member.close();
    }
}
