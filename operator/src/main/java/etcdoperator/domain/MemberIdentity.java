package etcdoperator.domain;

import java.util.Optional;

/** A member, and the etcd cluster that it belongs to: two members are the same only if both ids are. */
public record MemberIdentity(ClusterId clusterId, MemberId memberId) {
    /** Empty for what somebody has spoilt. */
    public static Optional<MemberIdentity> tryParse(String text) {
        String[] ids = text.split("/", -1);
        try {
            return ids.length == 2
                    ? Optional.of(new MemberIdentity(ClusterId.parse(ids[0]), MemberId.parse(ids[1])))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Both ids in hexadecimal, the cluster's first. */
    @Override
    public String toString() {
        return clusterId + "/" + memberId;
    }
}
