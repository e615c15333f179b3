package io.improbable.etcd.backup;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.improbable.etcd.agentreport.AgentReport;
import io.improbable.etcd.agentreport.ExitCodes;
import io.improbable.etcd.agentreport.ReportText;
import io.improbable.etcd.manifest.AgentJob;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads from a Job and its pods how far the agent has come. Pure. */
final class ErrandReader {
    private final Job job;
    private final List<Pod> pods;
    private final Optional<AgentReport> progress;

    /** @param pods of this Job */
    private ErrandReader(Job job, List<Pod> pods, Optional<AgentReport> progress) {
        this.job = job;
        this.pods = pods.stream()
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                .toList();
        this.progress = progress;
    }

    static Errand read(String name, List<Job> jobs, List<Pod> pods, Optional<AgentReport> progress) {
        return jobs.stream()
                .filter(job -> job.getMetadata().getName().equals(name))
                .findFirst()
                .map(job -> new ErrandReader(job, podsOf(job, pods), progress).errand())
                .orElse(new Errand.NotSent());
    }

    private static List<Pod> podsOf(Job job, List<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(job.getMetadata().getUid())))
                .toList();
    }

    private Errand errand() {
        Instant since = Instant.parse(job.getMetadata().getCreationTimestamp());
        Optional<JobCondition> failed = condition("Failed");
        if (failed.isPresent()) {
            Instant at = Optional.ofNullable(failed.get().getLastTransitionTime())
                    .map(Instant::parse)
                    .orElse(since);
            return new Errand.Failed(since, at, whyFailed(failed.get()), wasUnanswered(failed.get()));
        }
        if (condition("Complete").isPresent() || pods.stream().anyMatch(AgentJob::isDone)) {
            return lastReport()
                    .filter(report -> report.state() == AgentReport.State.COMPLETED)
                    .<Errand>map(report -> new Errand.Done(since, report))
                    .orElseGet(() -> new Errand.Mute(since));
        }
        return pods.stream()
                .filter(pod -> phase(pod).equals("Running"))
                .findFirst()
                .<Errand>map(pod -> new Errand.AtWork(
                        since, Optional.ofNullable(pod.getStatus().getPodIP()), progress))
                .orElseGet(() -> new Errand.Awaited(since, trouble().or(this::lastAttempt)));
    }

    private Optional<JobCondition> condition(String type) {
        return Optional.ofNullable(job.getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals(type) && "True".equals(condition.getStatus()))
                .findFirst();
    }

    private String whyFailed(JobCondition failed) {
        if (wasLate(failed)) {
            return "The agent took longer than spec.activeDeadline allows, or than half an hour where a member stands"
                    + " still for it; give it more time, or see what holds it up";
        }
        return lastSentence()
                .orElseGet(() -> "The agent's pods ended without a word%s; see kubectl logs job/%s"
                        .formatted(
                                lastEnd()
                                        .map(ErrandReader::inWords)
                                        .map(" (%s)"::formatted)
                                        .orElse(": they were deleted or their node is gone"),
                                job.getMetadata().getName()));
    }

    private static boolean wasLate(JobCondition failed) {
        return "DeadlineExceeded".equals(failed.getReason());
    }

    private boolean wasUnanswered(JobCondition failed) {
        return !wasLate(failed)
                && lastEnd()
                        .filter(end -> Objects.equals(end.getExitCode(), ExitCodes.UNANSWERED))
                        .isPresent();
    }

    /** What the last attempt came to, while the next one is not there yet. */
    private Optional<String> lastAttempt() {
        return lastSentence().map("An attempt failed and is made again: "::concat);
    }

    private Optional<String> lastSentence() {
        return lastReport().flatMap(report -> Optional.ofNullable(report.message()));
    }

    private Optional<AgentReport> lastReport() {
        return ends().flatMap(end -> Stream.ofNullable(end.getMessage()))
                .flatMap(message -> ReportText.read(message).stream())
                .reduce((earlier, later) -> later);
    }

    private Optional<ContainerStateTerminated> lastEnd() {
        return ends().reduce((earlier, later) -> later);
    }

    private Stream<ContainerStateTerminated> ends() {
        return pods.stream()
                .flatMap(ErrandReader::containers)
                .flatMap(container -> Stream.ofNullable(container.getState()))
                .flatMap(state -> Stream.ofNullable(state.getTerminated()));
    }

    /** A volume or node that is not to be had, or a container that cannot be started. */
    private Optional<String> trouble() {
        return pods.stream()
                .filter(pod -> phase(pod).equals("Pending"))
                .flatMap(pod -> Stream.concat(unschedulable(pod), stuck(pod)))
                .findFirst();
    }

    private static Stream<String> unschedulable(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .filter(condition -> "PodScheduled".equals(condition.getType())
                        && "False".equals(condition.getStatus())
                        && condition.getMessage() != null)
                .map(condition -> "The agent's pod finds no place: " + condition.getMessage());
    }

    private static Stream<String> stuck(Pod pod) {
        return containers(pod)
                .flatMap(container -> Stream.ofNullable(container.getState()))
                .map(ContainerState::getWaiting)
                .filter(waiting -> waiting != null && waiting.getMessage() != null)
                .map(waiting ->
                        "The agent's pod cannot start: %s: %s".formatted(waiting.getReason(), waiting.getMessage()));
    }

    private static Stream<ContainerStatus> containers(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).stream().flatMap(status -> status.getContainerStatuses().stream());
    }

    private static String phase(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getPhase).orElse("Pending");
    }

    private static String inWords(ContainerStateTerminated end) {
        return "%s, exit code %d".formatted(end.getReason(), end.getExitCode());
    }
}
