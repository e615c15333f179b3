package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.api.MemberRole;
import etcdoperator.api.MemberStatus;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.manifest.Ages;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A majority that comes back while its cluster is being recovered: as long as its claims are in their places, it goes
 * on as it was, unless somebody has found it lost just now.
 */
final class ReturnRules {
    /** As long as a verdict may count. */
    private static final Duration JUST_NOW = Duration.ofSeconds(10);

    /** As long as nobody has to look at a volume again, and a moment for doing so. */
    private static final Duration LOOK_LASTS = Duration.ofSeconds(75);

    private final World world;
    private final Rules rules;
    private final Map<ClusterId, Instant> lastFoundLost = new HashMap<>();

    ReturnRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** An operator has looked at claims and nodes themselves, and found the cluster lost. */
    void judged() {
        recoveries()
                .flatMap(restore -> Recoveries.lost(restore).stream())
                .distinct()
                .filter(lost -> !isBack(lost, world.clock().instant()))
                .forEach(lost -> lastFoundLost.put(lost, world.clock().instant()));
    }

    /** The status of a restore changes, or it moves a claim. */
    void proceeds(EtcdRestore restore, OperatorProcess operator) {
        Optional<ClusterId> lost = Recoveries.lost(restore).filter(id -> Recoveries.isOne(restore));
        if (lost.isEmpty() || hasSwapped(restore) || rules.areExcused()) {
            return;
        }
        boolean foundLost = Optional.ofNullable(lastFoundLost.get(lost.get()))
                .filter(at -> !at.plus(JUST_NOW).isBefore(operator.passBegan()))
                .isPresent();
        if (!foundLost && isBack(lost.get(), operator.passBegan())) {
            rules.broken(
                    Invariant.A_MAJORITY_THAT_IS_BACK_IS_HEARD,
                    "%s puts claims aside, and a quorum of %s is back; it was last found to be lost at %s"
                            .formatted(Objects.describe(restore), lost.get(), lastFoundLost.get(lost.get())));
        }
    }

    private static boolean hasSwapped(EtcdRestore restore) {
        return restore.getStatus() != null
                && (restore.getStatus().stage() == RestoreStage.SWAPPING
                        || restore.getStatus().stage() == RestoreStage.STARTING);
    }

    /** Whoever knows this, knows that a quorum is left: by older lists, or of claims that nobody has marked, nobody does. */
    private boolean isBack(ClusterId lost, Instant seen) {
        Optional<MemberData> agreed = rules.membership().agreed(lost);
        return agreed.isPresent()
                && world.cluster().stream().anyMatch(cluster -> lists(cluster, agreed.get()))
                && agreed.get().quorum().metBy((int) agreed.get().voters().stream()
                        .filter(voter -> world.claims().stream().anyMatch(claim -> isLeft(claim, voter.id(), seen)))
                        .count());
    }

    private static boolean lists(EtcdCluster cluster, MemberData agreed) {
        Set<String> voters =
                agreed.voters().stream().map(voter -> voter.id().toString()).collect(Collectors.toSet());
        return cluster.getStatus() != null
                && voters.equals(cluster.getStatus().members().stream()
                        .filter(member -> member.role() != MemberRole.LEARNER)
                        .map(MemberStatus::id)
                        .collect(Collectors.toSet()));
    }

    private boolean isLeft(PersistentVolumeClaim claim, MemberId member, Instant seen) {
        var metadata = claim.getMetadata();
        return World.KEY.name().equals(metadata.getLabels().get(Labels.CLUSTER))
                && member.toString().equals(metadata.getAnnotations().get(Labels.MEMBER_ID))
                && !Objects.isDeleting(claim)
                && !isBlank(claim, seen)
                && world.nodes()
                        .volume(claim)
                        .data()
                        .filter(data -> data.self().equals(member))
                        .isPresent()
                && world.nodes()
                        .disks()
                        .home(claim)
                        .filter(world.nodes()::isDeclaredDead)
                        .isEmpty();
    }

    /** Nobody has to know more of it than that it was empty, unless there was data by the time that somebody looked again. */
    private boolean isBlank(PersistentVolumeClaim claim, Instant seen) {
        return recoveries()
                .filter(restore ->
                        restore.getStatus() == null || !restore.getStatus().hasEnded())
                .filter(restore -> Recoveries.withoutData(restore)
                        .contains(claim.getMetadata().getName()))
                .anyMatch(restore -> !world.nodes().volume(claim).wasThereSince(Ages.madeAt(restore))
                        && !world.nodes().volume(claim).wasThereSince(seen.minus(LOOK_LASTS)));
    }

    private Stream<EtcdRestore> recoveries() {
        return world.server().list(EtcdRestore.class).stream().filter(Recoveries::isOne);
    }
}
