package etcdoperator.simulation;

import etcdoperator.api.EtcdPeer;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the volumes that are left, and within reach, are enough for etcd to go on. */
final class DataLeft {
    private final World world;
    private final Rules rules;

    DataLeft(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    boolean isQuorum() {
        Set<ClusterId> ids = withinReach().map(MemberData::clusterId).collect(Collectors.toSet());
        return ids.stream().anyMatch(this::isQuorum);
    }

    private boolean isQuorum(ClusterId id) {
        MemberData agreed = rules.membership().agreed(id).orElseThrow();
        Set<MemberId> there = withinReach()
                .filter(data -> data.clusterId().equals(id) && agreed.isVoter(data.self()))
                .map(MemberData::self)
                .collect(Collectors.toSet());
        return agreed.quorum().metBy(there.size());
    }

    private Stream<MemberData> withinReach() {
        return world.claims().stream()
                .filter(this::isJudged)
                .filter(claim -> !isOfSomebodyLeaving(claim))
                .filter(claim -> !Objects.isDeleting(claim))
                .filter(world.nodes()::isWithinReach)
                .flatMap(claim -> world.nodes().volume(claim).data().stream());
    }

    /** A founder that was deleted before it was seen to join is left to a person. */
    private boolean isJudged(PersistentVolumeClaim claim) {
        return claim.getMetadata().getAnnotations().containsKey(Labels.MEMBER_ID)
                || world.server()
                        .get(EtcdPeer.class, claim.getMetadata().getName())
                        .isPresent();
    }

    /** Retired, and its peer was deleted by hand before its member could be removed: nobody starts it again. */
    private boolean isOfSomebodyLeaving(PersistentVolumeClaim claim) {
        String name = claim.getMetadata().getName();
        return !claim.getMetadata()
                        .getAnnotations()
                        .getOrDefault(Labels.RETIRED, "")
                        .isEmpty()
                && world.server().list(EtcdPeer.class).stream()
                        .noneMatch(peer -> peer.getSpec().claimName().equals(name));
    }
}
