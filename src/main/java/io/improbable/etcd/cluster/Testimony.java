package io.improbable.etcd.cluster;

import io.improbable.etcd.cluster.Membership.Health;
import io.improbable.etcd.cluster.Membership.Health.Healthy;
import io.improbable.etcd.cluster.Membership.Health.Unhealthy;
import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Reachable;
import io.improbable.etcd.cluster.Membership.Role;
import io.improbable.etcd.cluster.Membership.Unreachable;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.ClusterKey;
import io.improbable.etcd.domain.EtcdVersion;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.etcd.Answer;
import io.improbable.etcd.etcd.Answer.Silent;
import io.improbable.etcd.etcd.Answer.Spoke;
import io.improbable.etcd.etcd.EtcdClient.ListedMember;
import io.improbable.etcd.manifest.Addresses;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Weighs what each member said into one account of the cluster. */
final class Testimony {
    /** A calm probe comes every ten seconds and may take a few: twice that, and nobody is asking any more. */
    private static final Duration TOO_OLD = Duration.ofSeconds(40);

    private Testimony() {}

    static Membership weigh(ClusterKey cluster, Optional<ClusterId> known, Map<PeerName, Answer> answers, Instant now) {
        Map<PeerName, Answer> believed = new TreeMap<>();
        answers.forEach((peer, answer) -> believed.put(peer, believe(cluster, known, peer, answer, now)));
        List<Spoke> spoke = believed.values().stream()
                .flatMap(answer ->
                        answer instanceof Spoke s ? Optional.of(s).stream() : Optional.<Spoke>empty().stream())
                .toList();
        if (spoke.isEmpty()) {
            return new Unreachable(silence(believed));
        }
        if (spoke.stream().map(s -> s.status().clusterId()).distinct().count() > 1) {
            return new Unreachable("members answer for different etcd clusters");
        }
        Spoke best = best(spoke);
        List<MemberView> members = best.members().stream()
                .map(listed -> member(listed, best.status().leader(), spoke, believed))
                .sorted(Comparator.comparing(MemberView::name))
                .toList();
        boolean quorumAnswers = spoke.stream().anyMatch(Spoke::isWell);
        return new Reachable(best.status().clusterId(), members, quorumAnswers);
    }

    /** Pod addresses are given out again: what answers at one must show that it is the member we meant. */
    private static Answer believe(
            ClusterKey cluster, Optional<ClusterId> known, PeerName peer, Answer answer, Instant now) {
        if (answer.at().plus(TOO_OLD).isBefore(now)) {
            return new Silent(answer.at(), "has not been heard of since " + answer.at());
        }
        return switch (answer) {
            case Silent silent -> silent;
            case Spoke s
            when known.isPresent() && !known.get().equals(s.status().clusterId()) ->
                new Silent(
                        s.at(),
                        "answers for another etcd cluster, " + s.status().clusterId());
            case Spoke s when !isListedAs(peer, cluster, s) -> new Silent(s.at(), "answers as another member");
            case Spoke s -> s;
        };
    }

    private static boolean isListedAs(PeerName peer, ClusterKey cluster, Spoke spoke) {
        String host = "://" + Addresses.peerHost(cluster, peer) + ":";
        return spoke.members().stream()
                .filter(member -> member.id().equals(spoke.status().memberId()))
                .flatMap(member -> member.peerUrls().stream())
                .anyMatch(url -> url.contains(host));
    }

    /** The leader's list is the newest; without a leader, the longest log's. */
    private static Spoke best(List<Spoke> spoke) {
        return spoke.stream()
                .max(Comparator.comparing((Spoke s) ->
                                s.status().leader().equals(s.status().memberId()))
                        .thenComparing(s -> s.status().raftTerm())
                        .thenComparing(s -> s.status().raftIndex()))
                .orElseThrow();
    }

    private static MemberView member(
            ListedMember listed, MemberId leader, List<Spoke> spoke, Map<PeerName, Answer> believed) {
        Optional<Spoke> own = spoke.stream()
                .filter(s -> s.status().memberId().equals(listed.id()))
                .findFirst();
        Role role = listed.learner() ? Role.LEARNER : listed.id().equals(leader) ? Role.LEADER : Role.VOTER;
        return new MemberView(
                listed.id(),
                listed.name(),
                role,
                own.map(Testimony::health).orElseGet(() -> new Unhealthy(whySilent(listed.name(), believed))),
                own.map(s -> EtcdVersion.parse(s.status().version())),
                own.map(s -> s.status().dbSizeBytes()).orElse(0L));
    }

    private static Health health(Spoke spoke) {
        if (!spoke.status().errors().isEmpty()) {
            return new Unhealthy(String.join(", ", spoke.status().errors()));
        }
        if (!spoke.status().knowsLeader()) {
            return new Unhealthy("knows of no leader");
        }
        return spoke.readFailure().<Health>map(Unhealthy::new).orElseGet(Healthy::new);
    }

    private static String whySilent(String name, Map<PeerName, Answer> believed) {
        return believed.entrySet().stream()
                .filter(entry -> entry.getKey().toString().equals(name))
                .flatMap(entry -> entry.getValue() instanceof Silent silent
                        ? Optional.of(silent.why()).stream()
                        : Optional.<String>empty().stream())
                .findFirst()
                .orElse("has no running pod");
    }

    private static String silence(Map<PeerName, Answer> believed) {
        return believed.entrySet().stream()
                .findFirst()
                .map(entry -> entry.getKey() + " " + ((Silent) entry.getValue()).why())
                .orElse("no pod has an address yet");
    }
}
