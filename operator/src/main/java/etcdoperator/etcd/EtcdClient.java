package etcdoperator.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A connection to one member. Each call asks that member only, and ends at its deadline. */
public interface EtcdClient extends AutoCloseable {
    /** Works without quorum, unless the member was started without one: then nothing answers. */
    MemberStatus status(Duration deadline) throws EtcdException;

    /** The list as this member has it, without asking the others; the one form that works without quorum. */
    List<ListedMember> members(Duration deadline) throws EtcdException;

    /** The list that a quorum agrees on. */
    List<ListedMember> agreedMembers(Duration deadline) throws EtcdException;

    /** @param learner whether it follows without a vote, until it is promoted @return the id that etcd gave it */
    MemberId add(String peerUrl, boolean learner, Duration deadline) throws EtcdException;

    void remove(MemberId member, Duration deadline) throws EtcdException;

    /** Gives a learner its vote, if it has caught up. */
    void promote(MemberId learner, Duration deadline) throws EtcdException;

    /** Tells the others where they reach a member from now on. */
    void relist(MemberId member, String peerUrl, Duration deadline) throws EtcdException;

    /** Only the leader itself can do this. */
    void moveLeader(MemberId to, Duration deadline) throws EtcdException;

    /** Returns only if a quorum stands behind this member. */
    void linearizableRead(Duration deadline) throws EtcdException;

    /** Gives free space of this member's database back to its disk; the member answers nobody else meanwhile. */
    void defragment(Duration deadline) throws EtcdException;

    /**
     * What this member's keys up to a revision amount to: equal on members that agree, if both hash and compact
     * revision are those of one moment. A member that has not got so far yet says {@link EtcdException.Kind#NOT_YET}.
     *
     * @param revision 0 for the newest it has
     */
    Hash hashKv(long revision, Duration deadline) throws EtcdException;

    /** Forgets what was overwritten before a revision, and returns once this member has; twice is as good as once. */
    void compact(long revision, Duration deadline) throws EtcdException;

    /** Ends an alarm; one that nobody has raised is no mistake. */
    void disarm(MemberId member, Alarm.Kind alarm, Duration deadline) throws EtcdException;

    /**
     * Has the members make their data fit for an older minor; a downgrade to it that is on its way is as good.
     * {@link EtcdException.Kind#NOT_YET} while the members have not agreed on the version that all of them run.
     *
     * @param minor such as 3.5, one below the version of the cluster
     */
    void enableDowngrade(String minor, Duration deadline) throws EtcdException;

    /** Returns once this member knows of no downgrade. */
    void cancelDowngrade(Duration deadline) throws EtcdException;

    /** Lets a quorum agree on an entry that changes neither keys nor revision; enough of them make a raft snapshot. */
    void commitNothing(Duration deadline) throws EtcdException;

    /** Users, roles and whether they matter. */
    Accounts accounts();

    /** Tells once when the connection that is there now ends: a member that was killed need not be asked to be missed. */
    void whenDisconnected(Runnable told);

    @Override
    void close();

    /** Opens a connection; nothing is sent before the first call. */
    interface Factory {
        EtcdClient connect(Endpoint endpoint);
    }

    /**
     * @param storageVersion what its data is fit for, such as 3.6.0; not told before 3.6
     * @param downgrade where the cluster is on its way to, such as 3.5.0; not told before 3.6
     * @param dbSizeInUse what would be left of the size after defragmentation
     * @param dbSizeQuota 0 where it does not tell, as before 3.6
     * @param leader 0 when the member knows of none
     * @param raftIndex what it knows to be agreed on
     * @param errors other than alarms
     */
    record MemberStatus(
            ClusterId clusterId,
            MemberId memberId,
            String version,
            Optional<String> storageVersion,
            Optional<String> downgrade,
            long dbSizeBytes,
            long dbSizeInUse,
            long dbSizeQuota,
            MemberId leader,
            boolean learner,
            long raftTerm,
            long raftIndex,
            long revision,
            List<Alarm> alarms,
            List<String> errors) {
        public boolean knowsLeader() {
            return leader.value() != 0;
        }
    }

    /**
     * @param hashRevision up to which keys were counted
     * @param compactRevision before which nothing was: hashes of different ones cannot be compared
     */
    record Hash(long hash, long hashRevision, long compactRevision) {}

    /** @param name empty until the member has started for the first time */
    record ListedMember(MemberId id, String name, List<String> peerUrls, List<String> clientUrls, boolean learner) {}
}
