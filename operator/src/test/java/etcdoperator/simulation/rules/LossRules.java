package etcdoperator.simulation.rules;

import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.Promotion;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Whose data is lost, and whose was once. Judged by disks and nodes, whatever an operator has seen of them. */
final class LossRules {
    private final World world;
    private final Rules rules;
    private final Set<MemberId> onceLost = new HashSet<>();

    LossRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** After each event. */
    void check() {
        Set<MemberId> safe = new HashSet<>();
        safe().forEach(data -> safe.add(data.self()));
        world.nodes().disks().everWritten().stream()
                .map(MemberData::self)
                .filter(member -> !safe.contains(member))
                .forEach(onceLost::add);
    }

    /** Voters of a cluster, as far as their data was there all the time: whoever was lost may have been seen to be. */
    List<MemberData> neverLost(ClusterId cluster) {
        MemberData agreed = rules.membership().agreed(cluster).orElseThrow();
        return safe().filter(data -> data.clusterId().equals(cluster)
                        && agreed.isVoter(data.self())
                        && !onceLost.contains(data.self()))
                .toList();
    }

    boolean isLost(PersistentVolumeClaim claim) {
        return Objects.isDeleting(claim)
                || world.nodes().volume(claim).data().isEmpty()
                || world.nodes().volume(claim).isAway()
                || world.nodes()
                        .disks()
                        .home(claim)
                        .filter(world.nodes()::isDeclaredDead)
                        .isPresent();
    }

    /** What is on disks that nobody could take for lost. */
    private Stream<MemberData> safe() {
        return world.server().list(PersistentVolumeClaim.class).stream()
                .filter(claim -> isOurs(claim) && !isLost(claim))
                .flatMap(claim -> world.nodes().volume(claim).data().stream());
    }

    /** What somebody else has made under a peer's name is left alone, with whatever is on it. */
    private static boolean isOurs(PersistentVolumeClaim claim) {
        return claim.getMetadata().getLabels().containsKey(Labels.CLUSTER)
                || claim.getMetadata().getAnnotations().containsKey(Labels.SET_ASIDE_BY);
    }

    /** Somebody else has promoted it, which shows on disks once every member is stopped. */
    boolean isRecordedAsLearner(MemberData data) {
        return world.claims().stream()
                .filter(claim -> world.nodes().volume(claim).data().equals(Optional.of(data)))
                .anyMatch(claim -> Promotion.NOT_REQUESTED
                        .word()
                        .equals(claim.getMetadata().getAnnotations().get(Labels.PROMOTION)));
    }
}
