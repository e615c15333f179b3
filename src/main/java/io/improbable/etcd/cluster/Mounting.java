package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.improbable.etcd.cluster.Problem.Kind;
import io.improbable.etcd.manifest.Ages;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Whether a pod waits for a volume that is there by all that its claim says, and cannot be had. */
final class Mounting {
    /** In its first moments a pod may wait for what is on its way. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Mounting() {}

    static Optional<Problem> problem(PersistentVolumeClaim claim, List<Pod> pods, List<Event> warnings, Instant now) {
        return pods.stream()
                .filter(pod -> isWaiting(pod, claim) && Ages.madeAt(pod).isBefore(now.minus(PATIENCE)))
                .flatMap(pod -> lastWord(pod, claim, warnings).stream())
                .findFirst();
    }

    private static boolean isWaiting(Pod pod, PersistentVolumeClaim claim) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getVolumes().stream()
                        .anyMatch(volume -> volume.getPersistentVolumeClaim() != null
                                && volume.getPersistentVolumeClaim()
                                        .getClaimName()
                                        .equals(claim.getMetadata().getName()))
                && pod.getStatus().getContainerStatuses().stream().noneMatch(Mounting::hasStarted);
    }

    private static boolean hasStarted(ContainerStatus container) {
        return container.getRestartCount() > 0
                || (container.getState() != null && container.getState().getWaiting() == null);
    }

    /** Kubernetes names the volume; of another one, such as a Secret, others tell. */
    private static Optional<Problem> lastWord(Pod pod, PersistentVolumeClaim claim, List<Event> warnings) {
        String volume = "\"%s\"".formatted(claim.getSpec().getVolumeName());
        return warnings.stream()
                .filter(event -> pod.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .filter(event ->
                        event.getMessage() != null && event.getMessage().contains(volume))
                .max(Comparator.comparingLong(
                        event -> Long.parseLong(event.getMetadata().getResourceVersion())))
                .map(event -> new Problem(
                        Kind.VolumeNotMounted,
                        "Pod %s cannot have the volume of claim %s: %s; bring the disk back, or delete the claim if the disk is gone for good"
                                .formatted(
                                        pod.getMetadata().getName(),
                                        claim.getMetadata().getName(),
                                        event.getMessage())));
    }
}
