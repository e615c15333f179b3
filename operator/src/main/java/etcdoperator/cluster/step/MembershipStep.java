package etcdoperator.cluster.step;

import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import java.util.Optional;
import java.util.SortedMap;

/** Changes etcd's member list, or moves leadership. Each is a part of a recorded operation. */
public sealed interface MembershipStep extends Step, Progress.OfTask {
    /** Makes another voter lead, so that nobody waits for an election when the leader leaves. */
    record MoveLeader(Task task, String from, MemberId to, String toName, String reason) implements MembershipStep {}

    /** Makes another voter lead, because etcd refuses changes of its members while this one leads. */
    record MoveFromMistakenLeader(Task task, String from, MemberId to, String toName, String reason)
            implements MembershipStep {}

    /**
     * Takes a peer's member out of etcd for good; its claim is retired before.
     *
     * @param member empty where etcd does not list it any more
     * @param retiredFrom what the claim is marked with
     * @param peerStays whether the peer waits for another member, or goes too
     */
    record RemoveMember(
            Task task,
            PeerName peer,
            Optional<MemberId> member,
            String claimName,
            MemberId retiredFrom,
            boolean peerStays,
            String reason)
            implements MembershipStep {}

    /**
     * Adds a member for a peer and starts it on a claim of its own, empty.
     *
     * @param members all of them by their claims, the new one too
     * @param version what it runs
     * @param added whether etcd lists it already, so that only its peer has to be brought up to that
     */
    record Admit(
            Task task,
            PeerName peer,
            String claimName,
            SortedMap<String, PeerName> members,
            EtcdVersion version,
            boolean added,
            String reason)
            implements MembershipStep {}

    /**
     * Removes a learner whose etcd has not started, because something else has to come before it. Its peer waits, and its
     * claim is kept for the next attempt.
     *
     * @param member empty where etcd does not list it any more
     */
    record SetAside(Task task, PeerName peer, Optional<MemberId> member, String claimName, String reason)
            implements MembershipStep {}

    /** Gives a learner its vote. */
    record Promote(Task task, PeerName peer, MemberId member, String reason) implements MembershipStep {}

    /** Tells the others how they reach a member from now on; its pod follows, or did before. */
    record Relist(Task task, PeerName peer, MemberId member, Scheme scheme, String claimName, String reason)
            implements MembershipStep {}

    /** Removes a member that is none of the cluster's peers. */
    record Expel(Task task, MemberId member, String reason) implements MembershipStep {}
}
