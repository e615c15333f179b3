package etcdoperator.backup;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.MemberStatus;
import etcdoperator.api.OperationStatus;
import etcdoperator.api.OperationType;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.backup.BackupView.Volume;
import etcdoperator.cluster.observe.DataVolumes;
import etcdoperator.cluster.observe.DataVolumes.DataVolume;
import etcdoperator.kube.BackupCache.BackupObjects;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.ReadMark;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Whose volume is read where no member can be asked: one that has started anew without a quorum answers nobody, and of
 * a cluster that sleeps nobody runs. Pure.
 */
final class Fallback {
    /** Members that restart, all of them at once, are back by then. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    /** What has not come up on its volumes by then may never have its quorum. */
    private static final Duration TIME_TO_START = Duration.ofMinutes(10);

    private final EtcdBackup backup;
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final EtcdClusterStatus status;
    private final Instant now;

    private Fallback(EtcdBackup backup, ClusterObjects objects, Instant now) {
        this.backup = backup;
        this.objects = objects;
        this.cluster = objects.cluster();
        this.status = Objects.requireNonNullElse(cluster.getStatus(), EtcdClusterStatus.EMPTY);
        this.now = now;
    }

    static Volume of(BackupObjects objects, Instant now) {
        return objects.cluster()
                .map(cluster -> new Fallback(objects.backup(), cluster, now).volume())
                .orElseGet(Volume.None::new);
    }

    /** The peers that stand still for this backup; more than one only if somebody else has written that. */
    static List<EtcdPeer> marked(BackupObjects objects) {
        return objects.cluster().stream()
                .flatMap(cluster -> cluster.peers().stream())
                .filter(peer -> ReadMark.isBy(objects.backup(), peer))
                .toList();
    }

    private Volume volume() {
        if (!isAsleep() && !isSilent()) {
            return new Volume.None();
        }
        List<DataVolume> volumes = DataVolumes.of(objects, now);
        // Who has been stopped already is not forgotten for one who looks better now.
        return volumes.stream()
                .filter(volume -> ReadMark.isBy(backup, volume.peer()))
                .findFirst()
                .or(() -> volumes.stream().findFirst())
                .map(volume -> inTheWay(volume.peer()).orElseGet(() -> volume(volume.peer())))
                .orElseGet(Volume.None::new);
    }

    private Volume volume(EtcdPeer peer) {
        String name = peer.getMetadata().getName();
        if (!ReadMark.isBy(backup, peer)) {
            return new Volume.InUse(name);
        }
        return isStopped(peer) ? new Volume.Free(name) : new Volume.Ending(name);
    }

    private Optional<Volume> inTheWay(EtcdPeer peer) {
        String name = cluster.getMetadata().getName();
        if (Labels.said(cluster, Labels.RESTORING).isPresent() || is(OperationType.RESTORE)) {
            return notYet("ClusterRestores", "EtcdCluster %s is being restored in place", name);
        }
        if (isStarting()) {
            return notYet(
                    "ClusterStarts", "EtcdCluster %s is starting; its members are given ten minutes for that", name);
        }
        if (Boolean.TRUE.equals(cluster.getSpec().paused()) && !peer.getSpec().standsStill()) {
            return notYet(
                    "ClusterPaused",
                    "No member of EtcdCluster %s answers, and while spec.paused is set none can be stopped to read its volume; remove it",
                    name);
        }
        return ReadMark.readerOf(peer, objects.backups())
                .filter(other -> !ReadMark.isBy(backup, peer))
                .flatMap(other -> notYet(
                        "VolumeBusy",
                        "The volume of %s is being read by another EtcdBackup",
                        peer.getMetadata().getName()));
    }

    private static Optional<Volume> notYet(String reason, String why, String name) {
        return Optional.of(new Volume.NotYet(reason, why.formatted(name)));
    }

    private boolean isAsleep() {
        return cluster.getSpec().replicas() == 0
                && objects.peers().stream().allMatch(peer -> peer.getSpec().standsStill());
    }

    /**
     * As the cluster's own pass has it, of the spec as it is: who is silent to an agent may be so to that agent alone,
     * and one that was just told to wake up was silent for long.
     */
    private boolean isSilent() {
        return Objects.equals(status.observedGeneration(), cluster.getMetadata().getGeneration())
                && status.members().stream().noneMatch(MemberStatus::healthy)
                && status.conditions().stream()
                        .filter(condition ->
                                condition.getType().equals("Available") && "False".equals(condition.getStatus()))
                        .map(Condition::getLastTransitionTime)
                        .anyMatch(since -> !Instant.parse(since).plus(SILENCE).isAfter(now));
    }

    private boolean isStarting() {
        return is(OperationType.BOOTSTRAP)
                || ((is(OperationType.RESUME) || is(OperationType.ADOPT))
                        && operation()
                                .map(OperationStatus::startedAt)
                                .filter(since -> since.plus(TIME_TO_START).isAfter(now))
                                .isPresent());
    }

    private boolean is(OperationType type) {
        return operation().filter(operation -> operation.type() == type).isPresent();
    }

    private Optional<OperationStatus> operation() {
        return Optional.ofNullable(status.operation());
    }

    /** Nobody makes another pod, and the last one is gone: one that is on its way out still has the volume. */
    private boolean isStopped(EtcdPeer peer) {
        return objects.replicaSets().stream()
                        .filter(set -> set.getMetadata()
                                .getName()
                                .equals(peer.getMetadata().getName()))
                        .anyMatch(Fallback::isAtRest)
                && objects.pods().stream().noneMatch(pod -> isOnVolumeOf(peer, pod));
    }

    private static boolean isAtRest(ReplicaSet set) {
        return Objects.equals(set.getSpec().getReplicas(), 0)
                && set.getStatus() != null
                && Objects.equals(
                        set.getStatus().getObservedGeneration(),
                        set.getMetadata().getGeneration())
                && Objects.requireNonNullElse(set.getStatus().getReplicas(), 0) == 0;
    }

    private static boolean isOnVolumeOf(EtcdPeer peer, Pod pod) {
        return peer.getMetadata().getName().equals(pod.getMetadata().getLabels().get(Labels.PEER))
                || pod.getSpec().getVolumes().stream()
                        .anyMatch(volume -> volume.getPersistentVolumeClaim() != null
                                && volume.getPersistentVolumeClaim()
                                        .getClaimName()
                                        .equals(peer.getSpec().claimName()));
    }
}
