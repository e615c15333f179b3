package etcdoperator.simulation.rules;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.api.OperationStatus;
import etcdoperator.api.OperationType;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.kube.Kube.ClaimMark;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import etcdoperator.simulation.etcd.MemberData;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.kube.Witness;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What must hold when a cluster is brought back that has lost most voters, judged by what is so. */
public final class RecoveryRules {
    private final World world;
    private final Rules rules;
    private final ReturnRules returns;
    private final LossRules losses;
    private final Map<ClusterId, Successor> successors = new HashMap<>();
    private final Map<String, List<Integer>> filled = new HashMap<>();
    private final Set<String> chosenByPeople = new HashSet<>();
    private Optional<Instant> notedAt = Optional.empty();

    /** What a lost cluster goes on as, and the claim on which it is. */
    private record Successor(ClusterId id, PersistentVolumeClaim claim) {}

    RecoveryRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
        this.returns = new ReturnRules(world, rules);
        this.losses = new LossRules(world, rules);
    }

    /** After each event. */
    void check() {
        losses.check();
        successors.forEach((lost, successor) -> {
            if (world.etcd().couldWrite(lost) && world.etcd().couldWrite(successor.id())) {
                rules.broken(
                        Invariant.ONE_CLUSTER_WRITES, "both %s and %s can take writes".formatted(lost, successor.id()));
            }
        });
    }

    public boolean isLost(PersistentVolumeClaim claim) {
        return losses.isLost(claim);
    }

    ReturnRules returns() {
        return returns;
    }

    /** How many clusters were brought back. */
    public int count() {
        return successors.size();
    }

    /** The cluster has written down what it is at. What it was sure of may have taken its time to be written. */
    void noted(OperationStatus operation) {
        boolean lost = operation != null && operation.type() == OperationType.RECOVER;
        notedAt = lost ? notedAt.or(() -> Optional.ofNullable(operation.startedAt())) : Optional.empty();
    }

    void begun(EtcdRestore restore, OperatorProcess operator) {
        Optional<ClusterId> lost = Recoveries.lost(restore);
        if (lost.isEmpty() || rules.areExcused()) {
            return;
        }
        if (rules.membership().agreed(lost.get()).isEmpty()) {
            rules.broken(Invariant.RECOVERS_ONLY_THE_LOST, "there never was such a cluster as " + lost.get());
        }
        List<MemberData> left = losses.neverLost(lost.get()).stream()
                .filter(data -> !losses.isRecordedAsLearner(data))
                .toList();
        if (rules.membership().agreed(lost.get()).orElseThrow().quorum().metBy(left.size())) {
            rules.broken(
                    Invariant.RECOVERS_ONLY_THE_LOST,
                    "%s is begun, and %s were never lost"
                            .formatted(
                                    Objects.describe(restore),
                                    left.stream().map(MemberData::self).toList()));
        }
        if (isChosen(operator)) {
            chosenByPeople.add(restore.getMetadata().getName());
        } else {
            waited(restore);
            takesTheNewest(restore, operator);
        }
    }

    /** Whatever was recorded: with the disks read, nobody may be wrong. */
    private void swaps(EtcdRestore restore) {
        Optional<ClusterId> lost = Recoveries.lost(restore);
        if (lost.isEmpty()
                || rules.areExcused()
                || chosenByPeople.contains(restore.getMetadata().getName())) {
            return;
        }
        List<MemberData> left = losses.neverLost(lost.get());
        if (rules.membership().agreed(lost.get()).orElseThrow().quorum().metBy(left.size())) {
            rules.broken(
                    Invariant.RECOVERS_ONLY_THE_LOST,
                    "%s puts claims aside, and %s were never lost"
                            .formatted(
                                    Objects.describe(restore),
                                    left.stream().map(MemberData::self).toList()));
        }
    }

    private boolean isChosen(OperatorProcess operator) {
        return Stream.concat(world.cluster().stream(), operator.cache().all(EtcdCluster.class).stream())
                .anyMatch(cluster -> cluster.getMetadata().getAnnotations().containsKey(Labels.RECOVER));
    }

    private void waited(EtcdRestore restore) {
        boolean longEnough = notedAt.filter(at ->
                        !at.plus(world.grace()).isAfter(world.clock().instant().plusSeconds(1)))
                .isPresent();
        if (!world.recoversByItself() || !longEnough) {
            rules.broken(
                    Invariant.RECOVERY_WAITS,
                    "%s is begun at %s, though the loss was noted at %s"
                            .formatted(Objects.describe(restore), world.clock().instant(), notedAt));
        }
    }

    private void takesTheNewest(EtcdRestore restore, OperatorProcess operator) {
        String backup = restore.getSpec().source().backup();
        boolean knowsAll = operator.watches().stream()
                .noneMatch(watches -> watches.behind().contains(EtcdBackup.class));
        Optional<String> newest = world.server().list(EtcdBackup.class).stream()
                .map(object -> object.getMetadata().getName())
                .reduce((earlier, later) -> later);
        if (backup != null && knowsAll && !newest.equals(Optional.of(backup))) {
            rules.broken(Invariant.RECOVERY_TAKES_THE_FURTHEST, backup + " is taken, and " + newest + " is the newest");
        }
    }

    /** Somebody reads a survivor's disk. */
    void read(PersistentVolumeClaim claim) {
        world.nodes()
                .volume(claim)
                .user()
                .ifPresent(user -> rules.broken(
                        Invariant.ONE_PROCESS_PER_VOLUME, Objects.describe(claim) + " is read beside " + user));
    }

    void filled(
            EtcdRestore restore,
            PersistentVolumeClaim target,
            Optional<Witness.Survivor> source,
            List<Integer> values) {
        if (world.nodes().volume(target).wasEverUsed()) {
            rules.broken(Invariant.SET_ASIDE_IS_KEPT, Objects.describe(target) + " is filled, and was in use");
        }
        filled.put(target.getMetadata().getUid(), values);
        furthest(restore).ifPresent(best -> {
            boolean shorter = source.map(chosen -> MemberData.BY_LOG.compare(chosen.data(), best) < 0)
                    .orElse(true);
            if (shorter) {
                rules.broken(
                        Invariant.RECOVERY_TAKES_THE_FURTHEST,
                        "%s goes on from %s, and the log of %s goes further"
                                .formatted(
                                        Objects.describe(restore),
                                        source.map(Witness.Survivor::claim).orElse("a backup"),
                                        best.self()));
            }
        });
    }

    /** The survivor that has most, where nobody has chosen another. */
    private Optional<MemberData> furthest(EtcdRestore restore) {
        return rules.areExcused()
                        || chosenByPeople.contains(restore.getMetadata().getName())
                ? Optional.empty()
                : Recoveries.lost(restore)
                        .flatMap(lost -> losses.neverLost(lost).stream().max(MemberData.BY_LOG));
    }

    void marked(PersistentVolumeClaim claim, ClaimMark mark, OperatorProcess operator) {
        String restoredBy = mark.annotations().getOrDefault(Labels.SET_ASIDE_BY, "");
        world.server().get(EtcdRestore.class, restoredBy).ifPresent(restore -> returns.proceeds(restore, operator));
        String member = mark.annotations().get(Labels.MEMBER_ID);
        if (member == null) {
            return;
        }
        Optional<MemberData> data = world.nodes().volume(claim).data();
        if (data.isPresent() && !data.get().self().equals(MemberId.parse(member))) {
            rules.broken(
                    Invariant.CLAIMS_TELL_THE_TRUTH,
                    "%s is marked as %s and has %s"
                            .formatted(
                                    Objects.describe(claim), member, data.get().self()));
        }
        String uid = claim.getMetadata().getAnnotations().getOrDefault(Labels.RESTORED_BY, "");
        world.server().list(EtcdRestore.class).stream()
                .filter(restore -> restore.getMetadata().getUid().equals(uid))
                .forEach(restore -> handedOver(restore, claim));
    }

    private void handedOver(EtcdRestore restore, PersistentVolumeClaim claim) {
        furthest(restore).ifPresent(best -> {
            Set<Integer> missing = new HashSet<>(best.everyWrite());
            missing.removeAll(filled.getOrDefault(claim.getMetadata().getUid(), List.of()));
            if (!missing.isEmpty()) {
                rules.broken(
                        Invariant.RECOVERY_TAKES_THE_FURTHEST,
                        "%s becomes the cluster's without %s, which are on the disk of %s"
                                .formatted(Objects.describe(claim), missing, best.self()));
            }
        });
        Optional<ClusterId> lost = Recoveries.lost(restore);
        Optional<ClusterId> successor = world.nodes().volume(claim).data().map(MemberData::clusterId);
        if (lost.isPresent() && successor.isPresent()) {
            Successor before = successors.put(lost.get(), new Successor(successor.get(), claim));
            if (before != null && !before.id().equals(successor.get()) && !cameToNothing(before)) {
                rules.broken(
                        Invariant.RECOVERED_ONCE,
                        "%s became %s, and becomes %s".formatted(lost.get(), before.id(), successor.get()));
            }
        }
    }

    /** Somebody deleted the claim before anybody was on it, so that the lost one has its own claims again. */
    private boolean cameToNothing(Successor successor) {
        String uid = successor.claim().getMetadata().getUid();
        return !world.nodes().volume(successor.claim()).wasEverUsed()
                && world.claims().stream()
                        .noneMatch(claim -> claim.getMetadata().getUid().equals(uid));
    }

    void reported(EtcdRestore before, EtcdRestoreStatus after, OperatorProcess operator) {
        EtcdRestoreStatus was = before.getStatus();
        if (after.stage() == RestoreStage.SWAPPING) {
            returns.proceeds(before, operator);
            if (was == null || was.stage() != RestoreStage.SWAPPING) {
                swaps(before);
            }
        }
        if (was != null && was.hasEnded() && was.phase() != after.phase()) {
            rules.broken(Invariant.RECOVERED_ONCE, Objects.describe(before) + " had ended, and is " + after.phase());
        }
    }

    /** @return whether it was a restore's claim, whose end has other rules */
    boolean discarded(PersistentVolumeClaim claim) {
        var annotations = claim.getMetadata().getAnnotations();
        boolean aside = !annotations.getOrDefault(Labels.SET_ASIDE_BY, "").isEmpty()
                && !claim.getMetadata().getLabels().containsKey(Labels.CLUSTER);
        boolean fresh = annotations.containsKey(Labels.RESTORED_BY)
                && !claim.getMetadata().getLabels().containsKey(Labels.CLUSTER);
        if (aside || (fresh && world.nodes().volume(claim).wasEverUsed())) {
            rules.broken(Invariant.SET_ASIDE_IS_KEPT, Objects.describe(claim) + " is deleted by a restore");
        }
        return aside || fresh;
    }
}
