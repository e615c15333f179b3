package io.improbable.etcd.cluster;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import java.util.List;
import java.util.Optional;

/** What etcd itself says of the cluster; not knowing is a value of its own. */
public sealed interface Membership {

    /** @param quorumAnswers whether a linearizable read went through */
    record Reachable(ClusterId clusterId, List<MemberView> members, boolean quorumAnswers) implements Membership {
        public Optional<MemberView> member(PeerName name) {
            return members.stream()
                    .filter(member -> member.name().equals(name.toString()))
                    .findFirst();
        }

        public Optional<MemberView> leader() {
            return members.stream()
                    .filter(member -> member.role() == Role.LEADER)
                    .findFirst();
        }

        public List<MemberView> voters() {
            return members.stream()
                    .filter(member -> member.role() != Role.LEARNER)
                    .toList();
        }

        /** The lowest minor that runs: etcd agrees on the same. */
        public Optional<EtcdVersion> clusterVersion() {
            return members.stream()
                    .flatMap(member -> member.version().stream())
                    .min(EtcdVersion::compareTo)
                    .map(EtcdVersion::clusterVersion);
        }
    }

    record Unreachable(String why) implements Membership {}

    /** @param name as etcd has it; empty until the member has started for the first time */
    record MemberView(
            MemberId id, String name, Role role, Health health, Optional<EtcdVersion> version, long dbSizeBytes) {
        public boolean healthy() {
            return health instanceof Health.Healthy;
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
    }
}
