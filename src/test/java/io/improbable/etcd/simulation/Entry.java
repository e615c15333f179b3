package io.improbable.etcd.simulation;

import io.improbable.etcd.domain.MemberId;

/** One entry of a raft log. */
sealed interface Entry {
    long term();

    record AddMember(long term, MemberId id, String name, String peerUrl) implements Entry {}

    /** A member told the others where clients find it: its first act once it has met a quorum. */
    record Publish(long term, MemberId id, String clientUrl) implements Entry {}

    record Write(long term, int value) implements Entry {}

    /** The first act of a new leader. */
    record Nothing(long term) implements Entry {}
}
