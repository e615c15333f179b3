package etcdoperator.etcd;

import etcdoperator.domain.MemberId;

/** One change of who is a member of etcd, or who of them leads. */
public sealed interface MembershipChange {
    /** @param learner whether it follows without a vote, until it is promoted */
    record Add(String peerUrl, boolean learner) implements MembershipChange {}

    record Remove(MemberId member) implements MembershipChange {}

    record Promote(MemberId learner) implements MembershipChange {}

    /** Only where the others reach it: the member stays the same. */
    record Relist(MemberId member, String peerUrl) implements MembershipChange {}

    record MoveLeader(MemberId to) implements MembershipChange {}
}
