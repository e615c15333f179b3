package etcdoperator.etcd;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import java.util.List;
import java.util.Optional;

/** A status in which only what a test is about has to be said. */
public final class TypicalStatus {
    private TypicalStatus() {}

    public static MemberStatus of(
            ClusterId cluster,
            MemberId member,
            String version,
            long dbSizeBytes,
            MemberId leader,
            boolean learner,
            long raftTerm,
            long raftIndex,
            List<String> errors) {
        return new MemberStatus(
                cluster,
                member,
                version,
                Optional.of("3.6.0"),
                Optional.empty(),
                dbSizeBytes,
                dbSizeBytes,
                2L << 30,
                leader,
                learner,
                raftTerm,
                raftIndex,
                raftIndex,
                List.of(),
                errors);
    }

    public static MemberStatus withLeader(MemberStatus s, MemberId leader) {
        return with(s, leader, s.alarms());
    }

    public static MemberStatus withAlarms(MemberStatus s, List<Alarm> alarms) {
        return with(s, s.leader(), alarms);
    }

    private static MemberStatus with(MemberStatus s, MemberId leader, List<Alarm> alarms) {
        return new MemberStatus(
                s.clusterId(),
                s.memberId(),
                s.version(),
                s.storageVersion(),
                s.downgrade(),
                s.dbSizeBytes(),
                s.dbSizeInUse(),
                s.dbSizeQuota(),
                leader,
                s.learner(),
                s.raftTerm(),
                s.raftIndex(),
                s.revision(),
                alarms,
                s.errors());
    }
}
