package etcdoperator.cluster.view;

import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.AccountBook;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What has come of work that takes longer than a pass, since this operator looks after the cluster.
 *
 * @param since when it began to
 * @param snapshots who was seen to write a raft snapshot, on which minor
 * @param compacted when history was last forgotten
 * @param defragmented when each member was
 * @param sight the certificates that members were seen to show
 * @param accounts the users and roles as they were read last; empty once somebody has changed them
 * @param lastTry when a chore last failed
 * @param trouble why the last chore did not come to its end
 */
public record Chores(
        Instant since,
        Set<RaftSnapshot> snapshots,
        Optional<Instant> compacted,
        Map<MemberId, Instant> defragmented,
        Optional<Comparison> comparison,
        Optional<Sight> sight,
        Optional<AccountsSeen> accounts,
        Optional<String> trouble,
        Instant lastTry) {

    public record RaftSnapshot(MemberId member, int minor) {}

    /**
     * How the members' keys compared.
     *
     * @param agreeing a majority with the same keys; empty where there is none
     * @param differing everybody else
     */
    public record Comparison(Instant at, Set<MemberId> agreeing, Set<MemberId> differing) {}

    /** @param issuers whose signature is on what each peer shows */
    public record Sight(Instant at, Map<PeerName, Issuers> issuers) {}

    /**
     * The key ids of those who have signed what a member shows to clients and to other members. Each side may have its
     * certificates from elsewhere.
     */
    public record Issuers(Optional<String> toClients, Optional<String> toMembers) {}

    /** @param wanted a fingerprint of what they were read for */
    public record AccountsSeen(Instant at, String wanted, AccountBook book) {}

    public static Chores none(Instant since) {
        return new Chores(
                since,
                Set.of(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                since);
    }

    public boolean hasSnapshotOf(MemberView member) {
        return member.version()
                .map(version -> snapshots.contains(new RaftSnapshot(member.id(), version.minor())))
                .orElse(false);
    }

    public boolean haveCompactedSince(Instant moment) {
        return compacted.filter(at -> !at.isBefore(moment)).isPresent();
    }

    public boolean haveDefragmentedSince(Instant moment, MemberId member) {
        return Optional.ofNullable(defragmented.get(member))
                .filter(at -> !at.isBefore(moment))
                .isPresent();
    }

    public Chores withSnapshots(Set<RaftSnapshot> more) {
        Set<RaftSnapshot> all = new HashSet<>(snapshots);
        all.addAll(more);
        return new Chores(
                since,
                Set.copyOf(all),
                compacted,
                defragmented,
                comparison,
                sight,
                accounts,
                Optional.empty(),
                lastTry);
    }

    public Chores withCompaction(Instant at) {
        return new Chores(
                since,
                snapshots,
                Optional.of(at),
                defragmented,
                comparison,
                sight,
                accounts,
                Optional.empty(),
                lastTry);
    }

    public Chores withDefragmentation(MemberId member, Instant at) {
        Map<MemberId, Instant> all = new HashMap<>(defragmented);
        all.put(member, at);
        return new Chores(
                since, snapshots, compacted, Map.copyOf(all), comparison, sight, accounts, Optional.empty(), lastTry);
    }

    public Chores withComparison(Comparison result) {
        return new Chores(
                since,
                snapshots,
                compacted,
                defragmented,
                Optional.of(result),
                sight,
                accounts,
                Optional.empty(),
                lastTry);
    }

    public Chores withSight(Sight seen) {
        return new Chores(
                since,
                snapshots,
                compacted,
                defragmented,
                comparison,
                Optional.of(seen),
                accounts,
                Optional.empty(),
                lastTry);
    }

    public Chores withAccounts(Optional<AccountsSeen> seen) {
        return new Chores(
                since, snapshots, compacted, defragmented, comparison, sight, seen, Optional.empty(), lastTry);
    }

    public Chores withTrouble(String why, Instant at) {
        return new Chores(since, snapshots, compacted, defragmented, comparison, sight, accounts, Optional.of(why), at);
    }
}
