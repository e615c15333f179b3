package etcdoperator.agent;

import etcdoperator.agentreport.AgentException;
import etcdoperator.domain.ClusterId;
import etcdoperator.etcd.Endpoint;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import etcdoperator.etcd.grpc.SnapshotSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which member gives the snapshot. While there is a quorum, only one that has all that the quorum has agreed on: a
 * linearizable read through it shows that. Without a quorum no read goes through, and the member with the highest
 * revision is asked first. A member of another etcd cluster, as on a volume that was used before, is never asked.
 */
final class MemberChoice {
    private static final Duration STATUS = Duration.ofSeconds(5);
    private static final Duration READ = Duration.ofSeconds(5);
    private static final Set<Kind> CURABLE = Set.of(Kind.NO_ANSWER, Kind.NOT_YET);

    private final Optional<ClusterId> expected;
    private final List<String> refusals = new ArrayList<>();
    private final Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    private final List<Behind> behind = new ArrayList<>();

    /** @param expected the etcd cluster to back up; any where it is not known */
    MemberChoice(Optional<ClusterId> expected) {
        this.expected = expected;
    }

    /** A member that may lack what others have. */
    private record Behind(Endpoint endpoint, MemberStatus status) {}

    /** @param endpoints in the order in which they are tried */
    MemberSource among(List<Endpoint> endpoints) throws AgentException {
        for (Endpoint endpoint : endpoints) {
            Optional<MemberSource> upToDate = upToDate(endpoint);
            if (upToDate.isPresent()) {
                return upToDate.get();
            }
        }
        behind.sort(Comparator.comparingLong((Behind member) -> -member.status().revision()));
        for (Behind member : behind) {
            Optional<MemberSource> source = snapshot(member.endpoint());
            if (source.isPresent()) {
                return source.get();
            }
        }
        throw refused();
    }

    private Optional<MemberSource> upToDate(Endpoint endpoint) {
        try (var member = new SnapshotSource(endpoint)) {
            MemberStatus status = member.status(STATUS);
            requireExpected(status);
            try {
                member.linearizableRead(READ);
            } catch (EtcdException e) {
                behind.add(new Behind(endpoint, status));
                return Optional.empty();
            }
        } catch (EtcdException e) {
            refuse(endpoint, e);
            return Optional.empty();
        }
        return snapshot(endpoint);
    }

    private void requireExpected(MemberStatus status) throws EtcdException {
        if (expected.isPresent() && !expected.get().equals(status.clusterId())) {
            throw new EtcdException(
                    Kind.CHANGED,
                    "answers for etcd cluster %s, and %s is to be backed up"
                            .formatted(status.clusterId(), expected.get()));
        }
    }

    private Optional<MemberSource> snapshot(Endpoint endpoint) {
        try {
            return Optional.of(MemberSource.open(endpoint, STATUS));
        } catch (EtcdException e) {
            refuse(endpoint, e);
            return Optional.empty();
        }
    }

    private void refuse(Endpoint endpoint, EtcdException why) {
        refusals.add(endpoint.url() + ": " + why.why());
        kinds.add(why.kind());
    }

    private AgentException refused() {
        String said = "no member gives a snapshot (" + String.join("; ", refusals) + "): ";
        if (kinds.contains(Kind.CHANGED)) {
            return AgentException.forNow(
                    said + "check which volumes the members have, and back up once the right ones are back");
        }
        if (Collections.disjoint(kinds, CURABLE)) {
            return AgentException.fatal(said + "check the user, the password and the certificate");
        }
        said += "check that one is running and can be reached";
        return CURABLE.containsAll(kinds) ? AgentException.unanswered(said) : AgentException.forNow(said);
    }
}
