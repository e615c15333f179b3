package etcdoperator.etcd;

import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What one member said, or did not say, when it was last asked. */
public sealed interface Answer {
    Instant at();

    /** The member spoke, knows a leader, and a quorum stood behind it. */
    boolean isWell();

    /**
     * Whether a pass could come to another judgement by it: the raft index moves all the time and says nothing.
     * Sizes count only when they have moved by a tenth, or a busy cluster would be reported without end.
     */
    boolean saysTheSameAs(Answer other);

    /**
     * @param members the list as this member has it; empty from a learner, which does not tell
     * @param readFailure why a linearizable read through this member failed, if it did
     * @param metrics read only while members are added or removed
     */
    record Spoke(
            Instant at,
            MemberStatus status,
            List<ListedMember> members,
            Optional<String> readFailure,
            Optional<MetricsHistory> metrics)
            implements Answer {
        public Spoke(Instant at, MemberStatus status, List<ListedMember> members, Optional<String> readFailure) {
            this(at, status, members, readFailure, Optional.empty());
        }

        public Spoke with(Optional<MetricsHistory> read) {
            return new Spoke(at, status, members, readFailure, read);
        }

        @Override
        public boolean isWell() {
            return status.knowsLeader() && readFailure.isEmpty();
        }

        @Override
        public boolean saysTheSameAs(Answer other) {
            return other instanceof Spoke that
                    && members.equals(that.members)
                    && readFailure.equals(that.readFailure)
                    && metrics.map(MetricsHistory::disconnected).equals(that.metrics.map(MetricsHistory::disconnected))
                    && status.clusterId().equals(that.status.clusterId())
                    && status.memberId().equals(that.status.memberId())
                    && status.version().equals(that.status.version())
                    && status.storageVersion().equals(that.status.storageVersion())
                    && status.downgrade().equals(that.status.downgrade())
                    && status.leader().equals(that.status.leader())
                    && status.learner() == that.status.learner()
                    && status.alarms().equals(that.status.alarms())
                    && status.errors().equals(that.status.errors())
                    && status.dbSizeQuota() == that.status.dbSizeQuota()
                    && isAbout(status.dbSizeBytes(), that.status.dbSizeBytes())
                    && isAbout(status.dbSizeInUse(), that.status.dbSizeInUse());
        }

        private static boolean isAbout(long size, long other) {
            return Math.abs(size - other) * 10 <= other;
        }
    }

    /** Nobody has asked it yet: the operator has just started, or its pod has. */
    record Unasked(Instant at) implements Answer {
        @Override
        public boolean isWell() {
            return false;
        }

        @Override
        public boolean saysTheSameAs(Answer other) {
            return other instanceof Unasked;
        }
    }

    /**
     * @param denied whether the member is up, and wants to know who asks or does not allow it to us
     * @param metrics what they tell, where it does not answer itself
     */
    record Silent(Instant at, String why, boolean denied, Optional<MetricsHistory> metrics) implements Answer {
        public Silent(Instant at, String why) {
            this(at, why, false);
        }

        public Silent(Instant at, String why, boolean denied) {
            this(at, why, denied, Optional.empty());
        }

        public Silent with(Optional<MetricsHistory> read) {
            return new Silent(at, why, denied, read);
        }

        /** Up to which revision its data goes, where its metrics tell. */
        public Optional<Long> revision() {
            return metrics.map(MetricsHistory::revision);
        }

        @Override
        public boolean isWell() {
            return false;
        }

        @Override
        public boolean saysTheSameAs(Answer other) {
            return other instanceof Silent that
                    && why.equals(that.why)
                    && denied == that.denied
                    && revision().equals(that.revision());
        }
    }
}
