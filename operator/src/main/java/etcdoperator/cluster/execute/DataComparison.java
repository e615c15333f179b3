package etcdoperator.cluster.execute;

import etcdoperator.cluster.view.Chores.Comparison;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient;
import etcdoperator.etcd.EtcdClient.Hash;
import etcdoperator.etcd.EtcdException;
import etcdoperator.etcd.EtcdException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;

/**
 * Whether all members have the same keys, by a hash over them at one revision. A member that differs would be replaced,
 * so only what two comparisons say alike counts.
 */
final class DataComparison {
    /** A hash over some gigabytes takes its time. */
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private static final Duration STATUS_DEADLINE = Duration.ofSeconds(2);

    private final Map<MemberId, EtcdClient> members;

    DataComparison(Map<MemberId, EtcdClient> members) {
        this.members = members;
    }

    Comparison compare(Instant now) throws EtcdException {
        Comparison first = once(now);
        if (first.differing().isEmpty()) {
            return first;
        }
        Comparison second = once(now);
        if (!first.equals(second)) {
            throw new EtcdException(Kind.NOT_YET, "two comparisons of the members' data do not agree");
        }
        return first;
    }

    private Comparison once(Instant now) throws EtcdException {
        long revision = Long.MAX_VALUE;
        for (EtcdClient client : members.values()) {
            revision = Math.min(revision, client.status(STATUS_DEADLINE).revision());
        }
        Map<MemberId, Hash> hashes = new HashMap<>();
        for (Entry<MemberId, EtcdClient> member : members.entrySet()) {
            hashes.put(member.getKey(), member.getValue().hashKv(revision, DEADLINE));
        }
        if (hashes.values().stream().map(Hash::compactRevision).distinct().count() > 1) {
            throw new EtcdException(Kind.NOT_YET, "the members were compacting while their data was compared");
        }
        return judge(hashes, now);
    }

    private static Comparison judge(Map<MemberId, Hash> hashes, Instant now) {
        Map<Long, Set<MemberId>> camps = new HashMap<>();
        hashes.forEach((member, hash) ->
                camps.computeIfAbsent(hash.hash(), key -> new HashSet<>()).add(member));
        Set<MemberId> agreeing = camps.values().stream()
                .filter(camp -> camp.size() * 2 > hashes.size())
                .findFirst()
                .orElse(Set.of());
        Set<MemberId> differing = new HashSet<>(hashes.keySet());
        differing.removeAll(agreeing);
        return new Comparison(now, Set.copyOf(agreeing), Set.copyOf(differing));
    }
}
