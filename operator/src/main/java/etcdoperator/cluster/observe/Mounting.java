package etcdoperator.cluster.observe;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.manifest.Ages;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A pod that waits for a volume which is there by all that its claim says, and cannot be had. */
record Mounting(Problem problem, Instant since) {
    /** A disk that moves from one node to another takes its time, and is on its way. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** A kubelet says it again every two minutes; what was said longer ago may be over. */
    private static final Duration NEWS = Duration.ofMinutes(5);

    static Optional<Mounting> of(PersistentVolumeClaim claim, List<Pod> pods, List<Event> warnings, Instant now) {
        return pods.stream()
                .filter(pod -> isWaiting(pod, claim) && Ages.madeAt(pod).isBefore(now.minus(PATIENCE)))
                .flatMap(pod -> lastWord(pod, claim, warnings, now).stream()
                        .map(problem -> new Mounting(problem, Ages.madeAt(pod))))
                .findFirst();
    }

    private static boolean isWaiting(Pod pod, PersistentVolumeClaim claim) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getVolumes().stream()
                        .anyMatch(volume -> volume.getPersistentVolumeClaim() != null
                                && volume.getPersistentVolumeClaim()
                                        .getClaimName()
                                        .equals(claim.getMetadata().getName()))
                && pod.getStatus().getConditions().stream().noneMatch(Mounting::tellsOfVolumes)
                && pod.getStatus().getContainerStatuses().stream().allMatch(Mounting::isYetToBeMade);
    }

    /** A sandbox is made once all volumes are there. */
    private static boolean tellsOfVolumes(PodCondition condition) {
        return "PodReadyToStartContainers".equals(condition.getType()) && "True".equals(condition.getStatus());
    }

    /** One that waits for its image, or after its end, has had its volume. */
    private static boolean isYetToBeMade(ContainerStatus container) {
        return container.getRestartCount() == 0
                && container.getState() != null
                && container.getState().getWaiting() != null
                && "ContainerCreating".equals(container.getState().getWaiting().getReason());
    }

    /** Kubernetes names the volume; of another one, such as a Secret, others tell. */
    private static Optional<Problem> lastWord(Pod pod, PersistentVolumeClaim claim, List<Event> warnings, Instant now) {
        String volume = "\"%s\"".formatted(claim.getSpec().getVolumeName());
        return warnings.stream()
                .filter(event -> pod.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .filter(event ->
                        event.getMessage() != null && event.getMessage().contains(volume))
                .filter(event -> saidAt(event).isAfter(now.minus(NEWS)))
                .max(Comparator.comparing(Mounting::saidAt))
                .map(event -> new Problem(
                        Kind.VolumeNotMounted,
                        "Pod %s cannot have the volume of claim %s: %s; bring the disk back, or delete the claim if the disk is gone for good"
                                .formatted(
                                        pod.getMetadata().getName(),
                                        claim.getMetadata().getName(),
                                        event.getMessage())));
    }

    private static Instant saidAt(Event event) {
        return Optional.ofNullable(event.getLastTimestamp()).map(Instant::parse).orElseGet(() -> Ages.madeAt(event));
    }
}
