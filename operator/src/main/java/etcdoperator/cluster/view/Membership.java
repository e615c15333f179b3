package etcdoperator.cluster.view;

import static java.util.stream.Collectors.toUnmodifiableMap;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.etcd.MemberList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What etcd itself says of the cluster; not knowing is a value of its own. */
public sealed interface Membership {

    /**
     * @param quorumAnswers whether a linearizable read went through
     * @param downgradeTo the minor that etcd was told to go back to
     */
    record Reachable(
            ClusterId clusterId,
            List<MemberView> members,
            boolean quorumAnswers,
            Optional<EtcdVersion> downgradeTo,
            List<AlarmView> alarms)
            implements Membership {
        /** The one that is called by this claim. */
        public Optional<MemberView> memberOn(String claimName) {
            return members.stream()
                    .filter(member -> member.claimName().equals(Optional.of(claimName)))
                    .findFirst();
        }

        public Optional<MemberView> member(MemberId id) {
            return members.stream().filter(member -> member.id().equals(id)).findFirst();
        }

        public boolean everyoneWasAsked() {
            return members.stream().noneMatch(member -> member.health() instanceof Health.Unknown);
        }

        /** What a change of the members is planned on. */
        public MemberList list() {
            return new MemberList(members.stream()
                    .collect(toUnmodifiableMap(MemberView::id, member -> member.role() == Role.LEARNER)));
        }

        public Optional<MemberView> leader() {
            return members.stream()
                    .filter(member -> member.role() == Role.LEADER)
                    .findFirst();
        }

        public List<MemberView> learners() {
            return members.stream()
                    .filter(member -> member.role() == Role.LEARNER)
                    .toList();
        }

        public List<MemberView> voters() {
            return members.stream()
                    .filter(member -> member.role() != Role.LEARNER)
                    .toList();
        }

        /** The lowest minor that runs: etcd agrees on the same. Unknown while one does not say what it runs. */
        public Optional<EtcdVersion> clusterVersion() {
            return members.stream().anyMatch(member -> member.version().isEmpty()) ? Optional.empty() : lowestVersion();
        }

        public Optional<EtcdVersion> lowestVersion() {
            return members.stream()
                    .flatMap(member -> member.version().stream())
                    .min(EtcdVersion::compareTo)
                    .map(EtcdVersion::clusterVersion);
        }
    }

    /** @param depths up to which revision the data of members goes whose metrics tell, by their peers */
    record Unreachable(String why, Map<PeerName, Long> depths) implements Membership {
        public Unreachable(String why) {
            this(why, Map.of());
        }
    }

    /**
     * @param name as etcd has it; empty until the member has started for the first time
     * @param claimName the claim it is called by; empty for a stranger
     * @param peer the slot of this cluster that the claim is for
     * @param scheme how the others reach it
     * @param version what it says it runs; empty if it did not answer
     */
    record MemberView(
            MemberId id,
            String name,
            Optional<String> claimName,
            Optional<PeerName> peer,
            Scheme scheme,
            Role role,
            Health health,
            Optional<EtcdVersion> version,
            Store store) {
        /** As people know it. */
        public String known() {
            return peer.map(PeerName::toString).orElse(name.isEmpty() ? id.toString() : name);
        }

        public boolean healthy() {
            return health instanceof Health.Healthy;
        }
    }

    /**
     * A member's database.
     *
     * @param usedBytes what would be left of its size after defragmentation
     * @param quotaBytes 0 where etcd does not tell, as before 3.6
     * @param version which minor could read it; etcd tells from 3.6 on
     * @param revision up to which it goes, 0 where nobody tells
     */
    record Store(long sizeBytes, long usedBytes, long quotaBytes, Optional<EtcdVersion> version, long revision) {
        public static final Store UNKNOWN = new Store(0, 0, 0, Optional.empty(), 0);
    }

    /** @param member who has raised it */
    record AlarmView(MemberId member, Kind kind) {
        public enum Kind {
            NOSPACE,
            CORRUPT
        }
    }

    enum Role {
        LEADER,
        VOTER,
        LEARNER
    }

    sealed interface Health {
        record Healthy() implements Health {}

        record Unhealthy(String why) implements Health {}

        /** It was not asked yet: to take it for unwell would let a member go that is not. */
        record Unknown() implements Health {}
    }
}
