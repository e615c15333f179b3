package io.improbable.etcd.etcd;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import java.time.Duration;
import java.util.List;

/** A connection to one member. Each call asks that member only, and ends at its deadline. */
public interface EtcdClient extends AutoCloseable {
    /** Works without quorum, unless the member was started without one: then nothing answers. */
    MemberStatus status(Duration deadline) throws EtcdException;

    /** The list as this member has it, without asking the others; the one form that works without quorum. */
    List<ListedMember> members(Duration deadline) throws EtcdException;

    /** The list that a quorum agrees on. */
    List<ListedMember> agreedMembers(Duration deadline) throws EtcdException;

    /** @param learner whether it follows without a vote, until it is promoted */
    void add(String peerUrl, boolean learner, Duration deadline) throws EtcdException;

    void remove(MemberId member, Duration deadline) throws EtcdException;

    /** Gives a learner its vote, if it has caught up. */
    void promote(MemberId learner, Duration deadline) throws EtcdException;

    /** Only the leader itself can do this. */
    void moveLeader(MemberId to, Duration deadline) throws EtcdException;

    /** Returns only if a quorum stands behind this member. */
    void linearizableRead(Duration deadline) throws EtcdException;

    /** Tells once when the connection that is there now ends: a member that was killed need not be asked to be missed. */
    void whenDisconnected(Runnable told);

    @Override
    void close();

    /** Opens a connection; nothing is sent before the first call. */
    interface Factory {
        EtcdClient connect(Endpoint endpoint);
    }

    /** @param leader 0 when the member knows of none */
    record MemberStatus(
            ClusterId clusterId,
            MemberId memberId,
            String version,
            long dbSizeBytes,
            MemberId leader,
            boolean learner,
            long raftTerm,
            long raftIndex,
            List<String> errors) {
        public boolean knowsLeader() {
            return leader.value() != 0;
        }
    }

    /** @param name empty until the member has started for the first time */
    record ListedMember(MemberId id, String name, List<String> peerUrls, List<String> clientUrls, boolean learner) {}
}
