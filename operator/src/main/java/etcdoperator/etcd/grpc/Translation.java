package etcdoperator.etcd.grpc;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.Alarm;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.etcd.grpc.proto.DowngradeInfo;
import etcdoperator.etcd.grpc.proto.Member;
import etcdoperator.etcd.grpc.proto.StatusResponse;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What etcd says, in the operator's words. */
final class Translation {
    private Translation() {}

    static MemberStatus status(StatusResponse answer) {
        Predicate<String> isAlarm = error -> Alarm.parse(error).isPresent();
        List<String> errors = answer.getErrorsList();
        return new MemberStatus(
                new ClusterId(answer.getHeader().getClusterId()),
                new MemberId(answer.getHeader().getMemberId()),
                answer.getVersion(),
                Optional.of(answer.getStorageVersion()).filter(version -> !version.isEmpty()),
                Optional.of(answer.getDowngradeInfo())
                        .filter(DowngradeInfo::getEnabled)
                        .map(DowngradeInfo::getTargetVersion),
                answer.getDbSize(),
                answer.getDbSizeInUse(),
                answer.getDbSizeQuota(),
                new MemberId(answer.getLeader()),
                answer.getIsLearner(),
                answer.getRaftTerm(),
                answer.getRaftIndex(),
                answer.getHeader().getRevision(),
                errors.stream().flatMap(error -> Alarm.parse(error).stream()).toList(),
                errors.stream().filter(isAlarm.negate()).toList());
    }

    static ListedMember member(Member member) {
        return new ListedMember(
                new MemberId(member.getID()),
                member.getName(),
                List.copyOf(member.getPeerURLsList()),
                List.copyOf(member.getClientURLsList()),
                member.getIsLearner());
    }
}
