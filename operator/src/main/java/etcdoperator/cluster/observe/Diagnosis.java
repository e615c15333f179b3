package etcdoperator.cluster.observe;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.EtcdLog;
import etcdoperator.manifest.EtcdContainer;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateRunning;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from Kubernetes objects why something does not run, in the words Kubernetes has for it. */
final class Diagnosis {
    /** What etcd of every line says when it may only start on data and finds none. */
    private static final String ON_EMPTY_VOLUME = "cannot fetch cluster info from peer urls";

    /** What etcd of every line says when its log or its database is spoilt. */
    private static final List<String> ON_SPOILT_DATA = List.of(
            "crc mismatch",
            "max entry size limit exceeded",
            "invalid database",
            "checksum error",
            "cannot use none as id",
            "unexpected fault address",
            "failed to recover v3 backend from snapshot",
            "wal: file not found");

    private static final Duration SHORT_RUN = Duration.ofMinutes(1);

    /** A kubelet starts a container that has ended once at once, and one that ends again after ten seconds. */
    private static final Duration HELD_BACK = Duration.ofSeconds(9);

    private static final int TIMES_AS_LONG = 3;

    /** Clocks of nodes differ, and a kubelet may be late to tell of an end. */
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

    private Diagnosis() {}

    static boolean isReady(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
    }

    /** A claim that waits for its first pod is well; one that its provisioner complained of is not. */
    static Optional<Problem> ofClaim(PersistentVolumeClaim claim, List<Event> warnings) {
        String name = claim.getMetadata().getName();
        String phase = claim.getStatus() == null ? "" : claim.getStatus().getPhase();
        if ("Lost".equals(phase)) {
            return Optional.of(new Problem(Kind.VolumeLost, "The volume of claim " + name + " is lost"));
        }
        if ("Bound".equals(phase)) {
            return Optional.empty();
        }
        return warnings.stream()
                .filter(event -> claim.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .max(Comparator.comparingLong(
                        event -> Long.parseLong(event.getMetadata().getResourceVersion())))
                .map(event -> new Problem(
                        Kind.VolumeUnavailable, "Claim %s gets no volume: %s".formatted(name, event.getMessage())));
    }

    static Optional<Problem> ofReplicaSet(ReplicaSet set) {
        if (set.getStatus() == null) {
            return Optional.empty();
        }
        return set.getStatus().getConditions().stream()
                .filter(condition ->
                        "ReplicaFailure".equals(condition.getType()) && "True".equals(condition.getStatus()))
                .findFirst()
                .map(condition -> new Problem(
                        Kind.PodRefused,
                        "The pod of %s is refused: %s"
                                .formatted(set.getMetadata().getName(), condition.getMessage())));
    }

    /** @param start what etcd in this pod does on an empty volume */
    static Optional<Problem> ofPod(Pod pod, Start start, Instant now) {
        return unschedulable(pod)
                .or(() -> pod.getStatus().getContainerStatuses().stream()
                        .filter(container -> EtcdContainer.NAME.equals(container.getName()))
                        .findFirst()
                        .flatMap(container -> ofContainer(pod, container, start, now)));
    }

    private static Optional<Problem> unschedulable(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "Unschedulable".equals(condition.getReason()))
                .findFirst()
                .map(condition -> new Problem(
                        Kind.PodUnschedulable,
                        "No node takes pod %s: %s".formatted(pod.getMetadata().getName(), condition.getMessage())));
    }

    private static Optional<Problem> ofContainer(Pod pod, ContainerStatus container, Start start, Instant now) {
        if (Boolean.TRUE.equals(container.getReady()) || runsOn(container, now)) {
            return waiting(pod, container);
        }
        return spoilt(pod, container, start).or(() -> crashing(pod, container)).or(() -> waiting(pod, container));
    }

    /** Two starts in a row that ended so: no third one will end better. */
    private static Optional<Problem> spoilt(Pod pod, ContainerStatus container, Start start) {
        ContainerStateTerminated last = lastEnd(container);
        Optional<Kind> finding = finding(last, start);
        if (last == null || finding.isEmpty() || !hasEndedTwice(container, finding.get(), start)) {
            return Optional.empty();
        }
        String name = pod.getMetadata().getName();
        return Optional.of(new Problem(
                finding.get(),
                finding.get() == Kind.VolumeEmpty
                        ? "The volume of pod %s is empty although a member has run on it; the member is not let in, because it would vote without its data, and is replaced once the others are a healthy quorum"
                                .formatted(name)
                        : "The data of pod %s is corrupt%s; the member is replaced once the others are a healthy quorum"
                                .formatted(name, EtcdLog.lastWords(last.getMessage()))));
    }

    private static Optional<Kind> finding(@Nullable ContainerStateTerminated end, Start start) {
        String words = end == null || end.getMessage() == null ? "" : end.getMessage();
        if (start == Start.ON_DATA && words.contains(ON_EMPTY_VOLUME)) {
            return Optional.of(Kind.VolumeEmpty);
        }
        return ON_SPOILT_DATA.stream().anyMatch(words::contains) ? Optional.of(Kind.DataCorrupt) : Optional.empty();
    }

    /** Restarts are counted over a pod's whole life, so that of these alone the one before may be months ago. */
    private static boolean hasEndedTwice(ContainerStatus container, Kind finding, Start start) {
        ContainerState state = container.getState();
        ContainerStateTerminated before = lastStateOf(container);
        if (state == null || before == null || container.getRestartCount() < 1) {
            return false;
        }
        return state.getTerminated() == null
                ? isHeldBack(container) || wasHeldBack(before, state.getRunning())
                : finding(before, start).equals(Optional.of(finding));
    }

    /** For far longer than it took to end before: it has found its data after all, and waits for the others. */
    private static boolean runsOn(ContainerStatus container, Instant now) {
        ContainerStateTerminated last = lastStateOf(container);
        ContainerStateRunning run =
                container.getState() == null ? null : container.getState().getRunning();
        if (run == null
                || run.getStartedAt() == null
                || last == null
                || last.getStartedAt() == null
                || last.getFinishedAt() == null) {
            return false;
        }
        Duration before = Duration.between(Instant.parse(last.getStartedAt()), Instant.parse(last.getFinishedAt()));
        return Instant.parse(run.getStartedAt())
                .plus(before.multipliedBy(TIMES_AS_LONG))
                .plus(LONG_ENOUGH)
                .isBefore(now);
    }

    /** It runs for the moment, as it has before. */
    private static boolean wasHeldBack(ContainerStateTerminated before, @Nullable ContainerStateRunning now) {
        return before.getFinishedAt() != null
                && now != null
                && now.getStartedAt() != null
                && !Instant.parse(now.getStartedAt())
                        .isBefore(Instant.parse(before.getFinishedAt()).plus(HELD_BACK));
    }

    private static @Nullable ContainerStateTerminated lastStateOf(ContainerStatus container) {
        return container.getLastState() == null
                ? null
                : container.getLastState().getTerminated();
    }

    private static @Nullable ContainerStateTerminated lastEnd(ContainerStatus container) {
        if (container.getState() != null && container.getState().getTerminated() != null) {
            return container.getState().getTerminated();
        }
        return lastStateOf(container);
    }

    /** Between two crashes the container runs for a moment; that is no recovery, and must not look like one. */
    private static Optional<Problem> crashing(Pod pod, ContainerStatus container) {
        ContainerStateTerminated last = lastStateOf(container);
        if (last == null || container.getRestartCount() < 2 || !(isHeldBack(container) || wasShort(last))) {
            return Optional.empty();
        }
        return Optional.of(new Problem(
                Kind.EtcdCrashing,
                "etcd in pod %s keeps exiting with code %d%s"
                        .formatted(
                                pod.getMetadata().getName(),
                                last.getExitCode(),
                                EtcdLog.lastWords(last.getMessage()))));
    }

    private static boolean isHeldBack(ContainerStatus container) {
        return container.getState() != null
                && container.getState().getWaiting() != null
                && "CrashLoopBackOff".equals(container.getState().getWaiting().getReason());
    }

    /** Restarts are counted over a pod's whole life; a member that ran for long before the last one does not crash. */
    private static boolean wasShort(ContainerStateTerminated run) {
        return run.getStartedAt() != null
                && run.getFinishedAt() != null
                && Instant.parse(run.getFinishedAt())
                        .isBefore(Instant.parse(run.getStartedAt()).plus(SHORT_RUN));
    }

    private static Optional<Problem> waiting(Pod pod, ContainerStatus container) {
        ContainerStateWaiting waiting =
                container.getState() == null ? null : container.getState().getWaiting();
        if (waiting == null || waiting.getReason() == null) {
            return Optional.empty();
        }
        String name = pod.getMetadata().getName();
        return switch (waiting.getReason()) {
            case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable" ->
                Optional.of(new Problem(
                        Kind.ImageUnavailable,
                        "Pod %s cannot get image %s; its node goes on trying, so make the image available"
                                .formatted(name, container.getImage())));
            case "CreateContainerConfigError", "CreateContainerError", "RunContainerError" ->
                Optional.of(new Problem(
                        Kind.ContainerRefused,
                        "The container of pod %s cannot be started: %s".formatted(name, waiting.getMessage())));
            default -> Optional.empty();
        };
    }
}
