package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Quorum;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.MembershipChange;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.EtcdProcess;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.etcd.Volume;
import etcdoperator.simulation.kube.FakeProbes;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What must hold when an operator changes who is a member, judged by what it was told itself and by what is so. */
public final class MembershipRules {
    private static final Duration BELIEVABLE = Duration.ofSeconds(40);
    private static final Duration LEASE = Duration.ofSeconds(15);

    private final World world;
    private final Rules rules;
    private final Set<MemberId> restarting = new HashSet<>();

    MembershipRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** What the change would break, before it is carried out. */
    Optional<Violation> judge(MembershipChange change, OperatorProcess operator) {
        List<Spoke> told = told(operator);
        Optional<MemberData> now = told.stream()
                .findFirst()
                .flatMap(spoke -> world.etcd().leader(spoke.status().clusterId()))
                .map(EtcdProcess::data);
        if (now.isEmpty() || hasStoodStill(operator)) {
            return Optional.empty();
        }
        return switch (change) {
            case MembershipChange.Add(String url, boolean learner) ->
                recorded(change, OperationType.SCALE_UP, OperationType.REPLACE)
                        .or(() -> learner
                                ? Optional.empty()
                                : rules.violation(Invariant.JOINS_AS_LEARNER, url + " is added with a vote"))
                        .or(() -> onlyWhenWell(change, now.get(), told));
            case MembershipChange.Promote(MemberId id) ->
                recorded(change, OperationType.SCALE_UP, OperationType.REPLACE)
                        .or(() -> onlySealed(id, operator))
                        .or(() -> onlyWhenWell(change, now.get(), told));
            case MembershipChange.Remove(MemberId id) ->
                recorded(change, OperationType.SCALE_DOWN, OperationType.REPLACE, OperationType.EXPEL)
                        .or(() -> onlyWhoCanBeSpared(id, now.get(), told))
                        .or(() -> notTheLeader(id, now.get(), told));
            // Whatever is under way needs members that find each other.
            case MembershipChange.Relist relisted -> recorded(change, OperationType.values());
            case MembershipChange.MoveLeader(MemberId id) ->
                recorded(
                        change,
                        OperationType.SCALE_DOWN,
                        OperationType.REPLACE,
                        OperationType.EXPEL,
                        OperationType.ROLL,
                        OperationType.UPGRADE,
                        OperationType.DOWNGRADE,
                        OperationType.DEFRAGMENT);
        };
    }

    /** One that stood still for so long has lost its lease, and its watchdog ends it before it does anything more. */
    private boolean hasStoodStill(OperatorProcess operator) {
        return operator.probes()
                .lastGiven()
                .at()
                .plus(LEASE)
                .isBefore(world.clock().instant());
    }

    /** An etcd that does not run, or is no voter, is nobody's loss. */
    void restarted(Pod pod, OperatorProcess operator) {
        if (!rules.records()
                .hasRecorded(EnumSet.of(OperationType.ROLL, OperationType.UPGRADE, OperationType.DOWNGRADE))) {
            rules.broken(
                    Invariant.RECORDED_BEFORE_DONE, Objects.describe(pod) + " is deleted before a roll is recorded");
        }
        Optional<MemberData> data = world.nodes()
                .processOf(pod)
                .filter(EtcdProcess::isReady)
                .map(EtcdProcess::data)
                .filter(member -> member.isVoter(member.self()));
        if (data.isEmpty() || rules.areExcused()) {
            return;
        }
        List<Spoke> told = told(operator);
        MemberId self = data.get().self();
        if (!saidItIsWell(self, told)) {
            // It has come up since it was seen to crash; nobody can know that any sooner.
            return;
        }
        boolean othersAreWell = data.get().voters().stream()
                .filter(voter -> !voter.id().equals(self))
                .allMatch(voter -> saidItIsWell(voter.id(), told));
        if (!othersAreWell) {
            rules.broken(
                    Invariant.RESTARTS_ONE_AT_A_TIME,
                    Objects.describe(pod) + " is restarted, and others were not known to be well");
        }
        noteWhoIsBack();
        restarting.removeIf(other -> !data.get().isVoter(other));
        restarting.stream()
                .filter(other -> !other.equals(self))
                .findFirst()
                .ifPresent(other -> rules.broken(
                        Invariant.RESTARTS_ONE_AT_A_TIME,
                        Objects.describe(pod) + " is restarted, and " + other + " is not back yet"));
        restarting.add(self);
        notTheLeader(self, data.get(), told).ifPresent(violation -> {
            throw violation;
        });
    }

    /** After each step: whoever is lost after it was back is not the roll's fault. */
    void noteWhoIsBack() {
        restarting.removeIf(this::isBack);
    }

    private boolean isBack(MemberId member) {
        return world.server().list(Pod.class).stream()
                .filter(pod -> !Objects.isDeleting(pod))
                .flatMap(pod -> world.nodes().processOf(pod).stream())
                .anyMatch(process -> process.isReady() && process.data().self().equals(member));
    }

    private Optional<Violation> recorded(MembershipChange change, OperationType... any) {
        Set<OperationType> types = EnumSet.copyOf(List.of(any));
        return rules.records().hasRecorded(types)
                ? Optional.empty()
                : rules.violation(Invariant.RECORDED_BEFORE_DONE, change + " comes before " + types + " is recorded");
    }

    private Optional<Violation> onlyWhenWell(MembershipChange change, MemberData now, List<Spoke> told) {
        Optional<ListedMember> unwell = now.voters().stream()
                .filter(voter -> !saidItIsWell(voter.id(), told))
                .findFirst();
        return unwell.flatMap(voter -> rules.violation(
                Invariant.CHANGES_ONLY_WHEN_WELL, change + ", while " + voter + " was not known to be well"));
    }

    private Optional<Violation> onlyWhoCanBeSpared(MemberId id, MemberData now, List<Spoke> told) {
        if (!now.isVoter(id)) {
            return Optional.empty();
        }
        List<ListedMember> voters = now.voters();
        long others = voters.stream()
                .filter(voter -> !voter.id().equals(id) && saidItIsWell(voter.id(), told))
                .count();
        boolean well = saidItIsWell(id, told);
        boolean fine =
                well ? voters.size() > 1 && others == voters.size() - 1 : new Quorum(voters.size()).metBy((int) others);
        return fine
                ? Optional.empty()
                : rules.violation(
                        Invariant.CHANGES_ONLY_WHEN_WELL,
                        "%s, %s, is removed, and %d of %d others were known to be well"
                                .formatted(id, well ? "well" : "unwell", others, voters.size() - 1));
    }

    private Optional<Violation> notTheLeader(MemberId id, MemberData now, List<Spoke> told) {
        long newest = told.stream()
                .mapToLong(spoke -> spoke.status().raftTerm())
                .max()
                .orElse(0);
        boolean leads = told.stream()
                .anyMatch(spoke -> spoke.status().memberId().equals(id)
                        && spoke.status().leader().equals(id)
                        && spoke.status().raftTerm() == newest
                        && spoke.isWell());
        return leads && now.voters().size() > 1
                ? rules.violation(Invariant.LEADERS_HAND_OVER, id + " is removed, and was known to lead")
                : Optional.empty();
    }

    /** A pod that the operator's watch had not told of yet is sealed as soon as it has. */
    private Optional<Violation> onlySealed(MemberId id, OperatorProcess operator) {
        Optional<PersistentVolumeClaim> claim = world.claims().stream()
                .filter(c ->
                        id.toString().equals(c.getMetadata().getAnnotations().get(Labels.MEMBER_ID)))
                .findFirst();
        if (claim.isEmpty()) {
            return rules.violation(Invariant.SEALED_BEFORE_VOTING, id + " gets a vote, and no claim tells of it");
        }
        String name = claim.get().getMetadata().getName();
        boolean peers = world.server().list(EtcdPeer.class).stream()
                .filter(peer -> peer.getSpec().claimName().equals(name))
                .allMatch(peer -> !RecordRules.founds(peer)
                        && RecordRules.initialMembers(peer).size() == 1);
        boolean templates = world.server().list(ReplicaSet.class).stream()
                .filter(set ->
                        Objects.claimOf(set.getSpec().getTemplate().getSpec()).equals(name))
                .allMatch(set -> isSealed(set.getSpec().getTemplate().getMetadata()));
        boolean pods = operator.cache().behind().contains(Pod.class)
                || world.server().list(Pod.class).stream()
                        .filter(pod -> Objects.uses(pod, claim.get()) && !Objects.isDeleting(pod))
                        .filter(pod -> !Objects.isAgent(pod))
                        .allMatch(pod -> isSealed(pod.getMetadata()));
        return peers && templates && pods
                ? Optional.empty()
                : rules.violation(
                        Invariant.SEALED_BEFORE_VOTING,
                        "%s gets a vote, but may start empty: peer %s, template %s, pod %s sealed"
                                .formatted(id, peers, templates, pods));
    }

    private static boolean isSealed(ObjectMeta metadata) {
        return "existing".equals(metadata.getAnnotations().get(Labels.INITIAL_CLUSTER_STATE))
                && !metadata.getAnnotations().get(Labels.INITIAL_CLUSTER).contains(",");
    }

    /** Only what is retired goes, and only when nobody is left who needs it. */
    void discarded(PersistentVolumeClaim claim, OperatorProcess operator) {
        String retired = claim.getMetadata().getAnnotations().getOrDefault(Labels.RETIRED, "");
        Volume volume = world.nodes().volume(claim);
        boolean listed = volume.data()
                .flatMap(data -> agreed(data.clusterId()).filter(now -> now.lists(data.self())))
                .isPresent();
        boolean used = world.server().list(Pod.class).stream().anyMatch(pod -> Objects.uses(pod, claim))
                && !operator.cache().behind().contains(Pod.class);
        if (retired.isEmpty() || (listed && !rules.areExcused()) || used) {
            rules.broken(
                    Invariant.ONLY_RETIRED_CLAIMS_GO,
                    "%s is deleted: retired from '%s', member %s listed, %s"
                            .formatted(
                                    Objects.describe(claim),
                                    retired,
                                    listed ? "still" : "not",
                                    used ? "in use" : "not in use"));
        }
    }

    /** The newest list that a quorum ever had. */
    public Optional<MemberData> agreed(ClusterId id) {
        return world.nodes().disks().everWritten().stream()
                .filter(data -> data.clusterId().equals(id))
                .max(Comparator.comparingInt(MemberData::committed));
    }

    private static boolean saidItIsWell(MemberId id, List<Spoke> told) {
        return told.stream().anyMatch(spoke -> spoke.status().memberId().equals(id) && spoke.isWell());
    }

    private static List<Spoke> told(OperatorProcess operator) {
        FakeProbes.Given given = operator.probes().lastGiven();
        return given.answers().values().stream()
                .filter(Spoke.class::isInstance)
                .map(Spoke.class::cast)
                .filter(spoke -> !spoke.at().plus(BELIEVABLE).isBefore(given.at()))
                .toList();
    }
}
