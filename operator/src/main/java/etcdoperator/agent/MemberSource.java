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
import java.util.Comparator;
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
    private static final Duration CONFIRMATION = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** A member reads all it has for it; one that takes longer has other things to do. */
    private static final Duration CENSUS = Duration.ofMinutes(2);

    private static final Set<Kind> CURABLE = Set.of(Kind.NO_ANSWER, Kind.NOT_YET);

    private final Endpoint endpoint;
    private final MemberStatus status;
    private final SnapshotSource member;
    private final SnapshotStream stream;
    private final boolean confirmed;

    private MemberSource(
            Endpoint endpoint,
            MemberStatus status,
            SnapshotSource member,
            SnapshotStream stream,
            boolean confirmed) {
        this.confirmed = confirmed;
        this.endpoint = endpoint;
        this.status = status;
        this.member = member;
        this.stream = stream;
    }

    /**
     * The first that a quorum confirms to be up to date. A member can answer and still lag behind: cut off from the
     * others, or slow. Without a quorum the member with the highest revision has to do, and a learner only if nothing
     * else answers. A member of another cluster is passed over: a volume under its claim may have been used before.
     *
     * @param cluster id of the one that is meant, where it is known
     */
    static MemberSource first(List<Endpoint> endpoints, Optional<String> cluster) throws AgentException {
        List<String> refusals = new ArrayList<>();
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        boolean strangers = false;
        List<Candidate> unconfirmed = new ArrayList<>();
        for (Endpoint endpoint : endpoints) {
            try {
                Optional<MemberSource> confirmed = confirmed(endpoint, cluster, unconfirmed);
                if (confirmed.isPresent()) {
                    return confirmed.get();
                }
            } catch (StrangerException e) {
                refusals.add(endpoint.url() + ": " + e.getMessage());
                strangers = true;
            } catch (EtcdException e) {
                refusals.add(endpoint.url() + ": " + e.why());
                kinds.add(e.kind());
            }
        }
        for (Candidate candidate :
                unconfirmed.stream().sorted(Candidate.BEST_FIRST).toList()) {
            try {
                return unconfirmed(candidate.endpoint());
            } catch (EtcdException e) {
                refusals.add(candidate.endpoint().url() + ": " + e.why());
                kinds.add(e.kind());
            }
        }
        throw refused(refusals, kinds, strangers);
    }

    /** It belongs to another etcd cluster. */
    private static final class StrangerException extends Exception {
        StrangerException(String message) {
            super(message);
        }
    }

    /** A member that answers, and that no quorum confirms. */
    private record Candidate(Endpoint endpoint, MemberStatus status) {
        static final Comparator<Candidate> BEST_FIRST = Comparator.comparing(
                        (Candidate candidate) -> candidate.status().learner())
                .thenComparing(Comparator.comparingLong(
                                (Candidate candidate) -> candidate.status().revision())
                        .reversed());
    }

    private static Optional<MemberSource> confirmed(
            Endpoint endpoint, Optional<String> cluster, List<Candidate> unconfirmed)
            throws EtcdException, StrangerException {
        var member = new SnapshotSource(endpoint);
        try {
            MemberStatus status = member.status(STATUS);
            requireMemberOf(cluster, status);
            if (isConfirmed(endpoint, member)) {
                return Optional.of(open(endpoint, member, true));
            }
            unconfirmed.add(new Candidate(endpoint, status));
            member.close();
            return Optional.empty();
        } catch (EtcdException | StrangerException e) {
            member.close();
            throw e;
        }
    }

    private static void requireMemberOf(Optional<String> cluster, MemberStatus status) throws StrangerException {
        String own = status.clusterId().toString();
        if (cluster.filter(id -> !id.equals(own)).isPresent()) {
            throw new StrangerException("it belongs to etcd cluster %s, not to %s".formatted(own, cluster.get()));
        }
    }

    private static boolean isConfirmed(Endpoint endpoint, SnapshotSource member) {
        try {
            member.linearizableRead(CONFIRMATION);
            return true;
        } catch (EtcdException e) {
            LOG.info("No quorum confirms that {} is up to date: {}", endpoint.url(), e.why());
            return false;
        }
    }

    private static AgentException refused(List<String> refusals, Set<Kind> kinds, boolean strangers) {
        String said = "no member gives a snapshot (" + String.join("; ", refusals) + "): ";
        if (strangers) {
            // Those that belong to the cluster may come back.
            return AgentException.forNow(said + "check what is on the volumes of these members");
        }
        if (Collections.disjoint(kinds, CURABLE)) {
            return AgentException.fatal(said + "check the user, the password and the certificate");
        }
        said += "check that one is running and can be reached";
        return CURABLE.containsAll(kinds) ? AgentException.unanswered(said) : AgentException.forNow(said);
    }

    private static MemberSource unconfirmed(Endpoint endpoint) throws EtcdException {
        var member = new SnapshotSource(endpoint);
        try {
            return open(endpoint, member, false);
        } catch (EtcdException e) {
            member.close();
            throw e;
        }
    }

    private static MemberSource open(Endpoint endpoint, SnapshotSource member, boolean confirmed)
            throws EtcdException {
        return new MemberSource(endpoint, member.status(STATUS), member, member.open(SILENCE), confirmed);
    }

    @Override
    public boolean isConfirmed() {
        return confirmed;
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
