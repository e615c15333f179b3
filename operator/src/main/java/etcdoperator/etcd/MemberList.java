package etcdoperator.etcd;

import static java.util.stream.Collectors.toUnmodifiableMap;

import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient.ListedMember;
import java.util.List;
import java.util.Map;

/** Who is a member and who of them has no vote: what a change of the members is planned on. */
public record MemberList(Map<MemberId, Boolean> learners) {
    public static MemberList of(List<ListedMember> members) {
        return new MemberList(members.stream().collect(toUnmodifiableMap(ListedMember::id, ListedMember::learner)));
    }
}
