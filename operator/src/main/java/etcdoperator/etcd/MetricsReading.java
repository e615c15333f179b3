package etcdoperator.etcd;

import etcdoperator.domain.MemberId;
import java.util.Map;
import java.util.Optional;

/**
 * One reading of a member's metrics. Members serve them also while they let no client in.
 *
 * @param member its id; empty where the metrics do not have it
 * @param revision up to which its data goes
 * @param committed the last raft entry that it knows to be committed
 * @param leads whether it is the leader
 * @param connections every other member that it knows, and whether it counts that one as connected
 */
public record MetricsReading(
        Optional<MemberId> member, long revision, long committed, boolean leads, Map<MemberId, Boolean> connections) {}
