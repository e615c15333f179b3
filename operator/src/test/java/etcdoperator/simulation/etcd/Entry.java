package etcdoperator.simulation.etcd;

import etcdoperator.domain.MemberId;

/** One entry of a raft log. */
sealed interface Entry {
    long term();

    /** @param name empty for one that is added to a running cluster: it tells its name when it first starts */
    record AddMember(long term, MemberId id, String name, String peerUrl, boolean learner) implements Entry {}

    record RemoveMember(long term, MemberId id) implements Entry {}

    record PromoteMember(long term, MemberId id) implements Entry {}

    record RelistMember(long term, MemberId id, String peerUrl) implements Entry {}

    /** A member told the others its name and where clients find it: its first act once it has met a quorum. */
    record Publish(long term, MemberId id, String name, String clientUrl) implements Entry {}

    record Write(long term, int value) implements Entry {}

    /** The first act of a new leader. */
    record Nothing(long term) implements Entry {}
}
