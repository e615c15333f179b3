package etcdoperator.etcd;

import etcdoperator.domain.MemberId;

/** Something etcd is told to do, by whichever member, that changes nobody's membership. */
public sealed interface Order {
    /** @param minor such as 3.5 */
    record EnableDowngrade(String minor) implements Order {}

    record CancelDowngrade() implements Order {}

    /** Commits an entry that changes neither keys nor revision. */
    record CommitNothing() implements Order {}

    record Disarm(MemberId member, Alarm.Kind alarm) implements Order {}
}
