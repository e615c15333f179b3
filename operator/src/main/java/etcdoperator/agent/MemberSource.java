package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.agentreport.AgentReport.Contents;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.SnapshotSource;
import etcdoperator.etcd.grpc.SnapshotStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member that is running. */
final class MemberSource implements Source {
    private static final Logger LOG = LoggerFactory.getLogger(MemberSource.class);
    private static final Duration STATUS = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** A member reads all it has for it; one that takes longer has other things to do. */
    private static final Duration CENSUS = Duration.ofMinutes(2);

    private static final Set<Kind> CURABLE = Set.of(Kind.NO_ANSWER, Kind.NOT_YET);

    private final Endpoint endpoint;
    private final MemberStatus status;
    private final SnapshotSource member;
    private final SnapshotStream stream;

    private MemberSource(Endpoint endpoint, MemberStatus status, SnapshotSource member, SnapshotStream stream) {
        this.endpoint = endpoint;
        this.status = status;
        this.member = member;
        this.stream = stream;
    }

    /** The first that answers and begins to send. */
    static MemberSource first(List<Endpoint> endpoints) throws AgentException {
        List<String> refusals = new ArrayList<>();
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (Endpoint endpoint : endpoints) {
            try {
                return open(endpoint);
            } catch (EtcdException e) {
                refusals.add(endpoint.url() + ": " + e.why());
                kinds.add(e.kind());
            }
        }
        String said = "no member gives a snapshot (" + String.join("; ", refusals) + "): ";
        if (Collections.disjoint(kinds, CURABLE)) {
            throw AgentException.fatal(said + "check the user, the password and the certificate");
        }
        said += "check that one is running and can be reached";
        throw CURABLE.containsAll(kinds) ? AgentException.unanswered(said) : AgentException.forNow(said);
    }

    private static MemberSource open(Endpoint endpoint) throws EtcdException {
        var member = new SnapshotSource(endpoint);
        try {
            MemberStatus status = member.status(STATUS);
            return new MemberSource(endpoint, status, member, member.open(SILENCE));
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
