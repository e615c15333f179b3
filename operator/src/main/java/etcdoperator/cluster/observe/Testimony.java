package etcdoperator.cluster.observe;

import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.AlarmView;
import etcdoperator.cluster.view.Membership.Health;
import etcdoperator.cluster.view.Membership.Health.Healthy;
import etcdoperator.cluster.view.Membership.Health.Unhealthy;
import etcdoperator.cluster.view.Membership.Health.Unknown;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Role;
import etcdoperator.cluster.view.Membership.Store;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.ClusterKey;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Silent;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.Answer.Unasked;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.EtcdClient.MemberStatus;
import etcdoperator.manifest.Addresses;
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
        List<Spoke> spoke = spoke(believed);
        List<Spoke> voters = spoke.stream().filter(s -> !s.status().learner()).toList();
        if (voters.isEmpty()) {
            return new Unreachable(silence(believed), depths(believed));
        }
        if (spoke.stream().map(s -> s.status().clusterId()).distinct().count() > 1) {
            return new Unreachable("members answer for different etcd clusters");
        }
        Spoke best = best(voters);
        believed.replaceAll((peer, answer) -> identify(cluster, peer, answer, best.members()));
        List<MemberView> members = best.members().stream()
                .map(listed -> member(cluster, listed, best.status().leader(), believed))
                .sorted(Comparator.comparing(MemberView::known))
                .toList();
        // A learner does not read for a quorum, and remembers a leader that may be gone.
        boolean quorumAnswers =
                spoke(believed).stream().anyMatch(s -> !s.status().learner() && s.isWell());
        return new Reachable(
                best.status().clusterId(), members, quorumAnswers, downgradeTo(spoke), alarms(best.status()));
    }

    /** Members before 3.6 do not tell, so that any who does is believed. */
    private static Optional<EtcdVersion> downgradeTo(List<Spoke> spoke) {
        return spoke.stream()
                .flatMap(s -> s.status().downgrade().stream())
                .findFirst()
                .map(EtcdVersion::parse);
    }

    private static List<AlarmView> alarms(MemberStatus status) {
        return status.alarms().stream()
                .map(alarm -> new AlarmView(
                        alarm.member(),
                        switch (alarm.kind()) {
                            case NOSPACE -> AlarmView.Kind.NOSPACE;
                            case CORRUPT -> AlarmView.Kind.CORRUPT;
                        }))
                .toList();
    }

    /** Pod addresses are given out again: what answers at one must show that it is the member we meant. */
    private static Answer believe(
            ClusterKey cluster, Optional<ClusterId> known, PeerName peer, Answer answer, Instant now) {
        if (answer.at().plus(TOO_OLD).isBefore(now)) {
            return new Silent(answer.at(), "has not been heard of since " + answer.at());
        }
        return switch (answer) {
            case Silent silent -> silent;
            case Unasked unasked -> unasked;
            case Spoke s
            when known.isPresent() && !known.get().equals(s.status().clusterId()) ->
                new Silent(
                        s.at(),
                        "answers for another etcd cluster, " + s.status().clusterId());
            // A learner tells no list; who it is shows from the others'.
            case Spoke s when s.status().learner() -> s;
            case Spoke s -> identify(cluster, peer, s, s.members());
        };
    }

    private static Answer identify(ClusterKey cluster, PeerName peer, Answer answer, List<ListedMember> list) {
        return switch (answer) {
            case Silent silent -> silent;
            case Unasked unasked -> unasked;
            case Spoke s ->
                list.stream()
                                .filter(member -> member.id().equals(s.status().memberId()))
                                .anyMatch(member -> slot(cluster, member).equals(Optional.of(peer)))
                        ? s
                        : new Silent(s.at(), "answers as another member");
        };
    }

    private static Optional<String> claim(ClusterKey cluster, ListedMember member) {
        return member.peerUrls().stream()
                .flatMap(url -> Addresses.claimAt(cluster, url).stream())
                .findFirst();
    }

    private static Optional<PeerName> slot(ClusterKey cluster, ListedMember member) {
        return claim(cluster, member).flatMap(claim -> PeerName.ofClaim(cluster.name(), claim));
    }

    private static List<Spoke> spoke(Map<PeerName, Answer> believed) {
        return believed.values().stream()
                .filter(Spoke.class::isInstance)
                .map(Spoke.class::cast)
                .toList();
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
            ClusterKey cluster, ListedMember listed, MemberId leader, Map<PeerName, Answer> believed) {
        Optional<Spoke> own = spoke(believed).stream()
                .filter(s -> s.status().memberId().equals(listed.id()))
                .findFirst();
        Role role = listed.learner() ? Role.LEARNER : listed.id().equals(leader) ? Role.LEADER : Role.VOTER;
        return new MemberView(
                listed.id(),
                listed.name(),
                claim(cluster, listed),
                slot(cluster, listed),
                listed.peerUrls().stream().findFirst().map(Scheme::of).orElse(Scheme.HTTP),
                role,
                own.map(Testimony::health).orElseGet(() -> unheard(slot(cluster, listed), believed)),
                own.map(s -> EtcdVersion.parse(s.status().version())),
                own.map(s -> store(s.status()))
                        .or(() -> slot(cluster, listed).map(believed::get).flatMap(Testimony::sounded))
                        .orElse(Store.UNKNOWN));
    }

    private static Map<PeerName, Long> depths(Map<PeerName, Answer> believed) {
        Map<PeerName, Long> depths = new TreeMap<>();
        believed.forEach((peer, answer) -> sounded(answer).ifPresent(store -> depths.put(peer, store.revision())));
        return depths;
    }

    private static Optional<Store> sounded(Answer answer) {
        return answer instanceof Silent silent
                ? silent.revision().map(revision -> new Store(0, 0, 0, Optional.empty(), revision))
                : Optional.empty();
    }

    private static Store store(MemberStatus status) {
        return new Store(
                status.dbSizeBytes(),
                status.dbSizeInUse(),
                status.dbSizeQuota(),
                status.storageVersion().map(EtcdVersion::parse),
                status.revision());
    }

    private static Health health(Spoke spoke) {
        // Alarms are the cluster's: a member that has raised one follows and votes as well as any.
        if (!spoke.status().errors().isEmpty()) {
            return new Unhealthy(String.join(", ", spoke.status().errors()));
        }
        if (!spoke.status().knowsLeader()) {
            return new Unhealthy("knows of no leader");
        }
        return spoke.readFailure().<Health>map(Unhealthy::new).orElseGet(Healthy::new);
    }

    private static Health unheard(Optional<PeerName> peer, Map<PeerName, Answer> believed) {
        return peer.map(believed::get).filter(Testimony::isOpen).isPresent()
                ? new Unknown()
                : new Unhealthy(whySilent(peer, believed));
    }

    /** Who denies us an answer is up, and may be as well as the others. */
    private static boolean isOpen(Answer answer) {
        return switch (answer) {
            case Unasked unasked -> true;
            case Silent silent -> silent.denied();
            case Spoke spoke -> false;
        };
    }

    private static String whySilent(Optional<PeerName> peer, Map<PeerName, Answer> believed) {
        return peer.map(believed::get)
                .flatMap(Testimony::silence)
                .orElse(peer.isPresent() ? "has no running pod" : "is none of this cluster's peers");
    }

    private static Optional<String> silence(Answer answer) {
        return answer instanceof Silent silent ? Optional.of(silent.why()) : Optional.empty();
    }

    private static String silence(Map<PeerName, Answer> believed) {
        return believed.entrySet().stream()
                .flatMap(entry -> silence(entry.getValue()).map(why -> entry.getKey() + " " + why).stream())
                .findFirst()
                .orElse("no pod has an address yet");
    }
}
