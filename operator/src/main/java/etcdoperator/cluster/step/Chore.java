package etcdoperator.cluster.step;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.AccountOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /**
     * Reads etcd's users and roles.
     *
     * @param wanted a fingerprint of what they are read for
     * @param passwords to be tried, by user; who is to have none is tried, too
     */
    record ReadAccounts(String wanted, Map<String, Optional<String>> passwords) implements Chore {
        /** Passwords must never reach a log line. */
        @Override
        public String toString() {
            return "ReadAccounts" + passwords.keySet();
        }
    }

    /** Changes etcd's users and roles, in this order. */
    record ChangeAccounts(List<AccountOrder> orders) implements Chore {}
}
