package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.MemberId;
import java.util.List;

/** Work that takes longer than a pass. It may be done twice, and be cut short anywhere. */
public sealed interface Chore {
    /**
     * Commits entries without effect until each of these has written a raft snapshot.
     *
     * @param withoutV2 whether it is refused while anybody keeps keys in the way of etcd 2
     */
    record WriteSnapshots(List<MemberId> members, boolean withoutV2) implements Chore {}

    /** Forgets all that was overwritten until now. */
    record Compact() implements Chore {}

    /** Gives a member's unused space back to its disk; it answers nobody meanwhile. */
    record Defragment(MemberId member) implements Chore {}

    /** Finds out whether all members have the same keys. */
    record CompareData() implements Chore {}

    /** Sees whose certificates members show. */
    record SeeCertificates() implements Chore {}
}
