package io.improbable.etcd.cluster;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.etcd.MemberList;
import java.util.List;
import java.util.Optional;

/** What etcd itself says of the cluster; not knowing is a value of its own. */
public sealed interface Membership {

    /** @param quorumAnswers whether a linearizable read went through */
    record Reachable(ClusterId clusterId, List<MemberView> members, boolean quorumAnswers) implements Membership {
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

        /** The lowest minor that runs: etcd agrees on the same. */
        public Optional<EtcdVersion> clusterVersion() {
            return members.stream()
                    .flatMap(member -> member.version().stream())
                    .min(EtcdVersion::compareTo)
                    .map(EtcdVersion::clusterVersion);
        }
    }

    record Unreachable(String why) implements Membership {}

    /**
     * @param name as etcd has it; empty until the member has started for the first time
     * @param claimName the claim it is called by; empty for a stranger
     * @param peer the slot of this cluster that the claim is for
     * @param version what it says it runs; empty if it did not answer
     */
    record MemberView(
            MemberId id,
            String name,
            Optional<String> claimName,
            Optional<PeerName> peer,
            Role role,
            Health health,
            Optional<EtcdVersion> version,
            long dbSizeBytes) {
        /** As people know it. */
        public String known() {
            return peer.map(PeerName::toString).orElse(name.isEmpty() ? id.toString() : name);
        }

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

        /** It was not asked yet: to take it for unwell would let a member go that is not. */
        record Unknown() implements Health {}
    }
}
