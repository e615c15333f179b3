package etcdoperator.simulation;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Promotion;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.manifest.Addresses;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.SaidStatus;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a cluster that has lost most voters for good had to be brought back by now. */
final class Comeback {
    /** Somebody has to choose, or to look into it. */
    private static final List<String> NEEDS_A_PERSON =
            List.of("RecoveryFailed", "ClaimsUnknown", "ClaimsDisagree", "CertificatesInvalid");

    private final World world;
    private final Rules rules;
    private final EtcdCluster cluster;

    Comeback(World world, Rules rules, EtcdCluster cluster) {
        this.world = world;
        this.rules = rules;
        this.cluster = cluster;
    }

    boolean isOverdue(SaidStatus status) {
        boolean chosen = cluster.getMetadata().getAnnotations().containsKey(Labels.RECOVER);
        return cluster.getSpec().replicas() > 0
                && world.recoversByItself()
                && !chosen
                && noneIsBeingDeleted()
                && !NEEDS_A_PERSON.contains(status.reason("Progressing"))
                && Optional.ofNullable(status.status().clusterId())
                        .map(ClusterId::parse)
                        .filter(id -> isLost(id) && isTheListOf(id, status))
                        .filter(this::hasSource)
                        .isPresent();
    }

    /** By an older list, enough may be left: who cannot know better waits. */
    private boolean isTheListOf(ClusterId id, SaidStatus status) {
        MemberData agreed = rules.membership().agreed(id).orElseThrow();
        Set<String> members =
                agreed.members().stream().map(member -> member.id().toString()).collect(Collectors.toSet());
        return members.equals(
                status.status().members().stream().map(MemberStatus::id).collect(Collectors.toSet()));
    }

    /** What only a pod still has may be the last copy, of which people are asked. */
    private boolean noneIsBeingDeleted() {
        return world.claims().stream().noneMatch(Objects::isDeleting);
    }

    private boolean isLost(ClusterId id) {
        MemberData agreed = rules.membership().agreed(id).orElseThrow();
        int left = (int) agreed.members().stream()
                .filter(member -> !member.learner() || !hasNoVote(member))
                .filter(member -> mayBeLeft(member.id()) || hasNeverRun(member.id()))
                .count();
        return !agreed.quorum().metBy(left);
    }

    /** Its claim says that no promotion was requested, and nobody else has requested one. */
    private boolean hasNoVote(ListedMember member) {
        Optional<String> claim = Addresses.claimAt(World.KEY, member.peerUrls().getFirst());
        return world.claims().stream()
                .filter(object -> claim.equals(Optional.of(object.getMetadata().getName())))
                .anyMatch(object -> Promotion.NOT_REQUESTED
                        .word()
                        .equals(object.getMetadata().getAnnotations().get(Labels.PROMOTION)));
    }

    /** Whose data may be elsewhere. */
    private boolean hasNeverRun(MemberId member) {
        return world.nodes().disks().everWritten().stream()
                .noneMatch(data -> data.self().equals(member));
    }

    /** What is on a volume that nobody reaches, or that still has a pod, is not for good. */
    private boolean mayBeLeft(MemberId member) {
        return claimOf(member).isPresent()
                || world.claims().stream()
                        .filter(claim -> member.toString()
                                .equals(claim.getMetadata().getAnnotations().get(Labels.MEMBER_ID)))
                        .filter(claim -> world.nodes()
                                .disks()
                                .home(claim)
                                .filter(world.nodes()::isDeclaredDead)
                                .isEmpty())
                        .anyMatch(claim ->
                                Objects.isDeleting(claim) || !world.nodes().isWithinReach(claim));
    }

    private Optional<PersistentVolumeClaim> claimOf(MemberId member) {
        return world.claims().stream()
                .filter(claim -> !rules.recovery().isLost(claim))
                .filter(claim ->
                        world.nodes().volume(claim).data().orElseThrow().self().equals(member))
                .findFirst();
    }

    /** A survivor that is out of reach is waited for, and nobody can know that there is nothing on its disk any more. */
    private boolean hasSource(ClusterId id) {
        MemberData agreed = rules.membership().agreed(id).orElseThrow();
        if (agreed.voters().stream().anyMatch(voter -> claimOf(voter.id()).isEmpty() && mayBeLeft(voter.id()))) {
            return false;
        }
        List<PersistentVolumeClaim> survivors = agreed.voters().stream()
                .flatMap(voter -> claimOf(voter.id()).stream())
                .toList();
        return survivors.isEmpty()
                ? world.server().list(EtcdBackup.class).stream().anyMatch(this::isOfThisCluster)
                : survivors.stream().allMatch(world.nodes()::isWithinReach);
    }

    private boolean isOfThisCluster(EtcdBackup backup) {
        return !Instant.parse(backup.getMetadata().getCreationTimestamp())
                .isBefore(Instant.parse(cluster.getMetadata().getCreationTimestamp()));
    }
}
