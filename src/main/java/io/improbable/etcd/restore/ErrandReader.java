package io.improbable.etcd.restore;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.improbable.etcd.agentreport.AgentReport;
import io.improbable.etcd.agentreport.ReportText;
import io.improbable.etcd.domain.EtcdLog;
import io.improbable.etcd.manifest.AgentJob;
import io.improbable.etcd.manifest.ThrowAwayEtcd;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads from a Job and its pods how far it has come. Its containers run one after the other, and any may fail. Pure. */
public final class ErrandReader {
    /** From this exit code on it was ended from outside. */
    private static final int KILLED = 128;

    private final Job job;
    private final List<Pod> pods;

    private ErrandReader(Job job, List<Pod> pods) {
        this.job = job;
        this.pods = pods.stream()
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(job.getMetadata().getUid())))
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                .toList();
    }

    public static Errand read(String name, List<Job> jobs, List<Pod> pods) {
        return jobs.stream()
                .filter(job -> job.getMetadata().getName().equals(name))
                .findFirst()
                .map(job -> new ErrandReader(job, pods).errand())
                .orElseGet(Errand.NotSent::new);
    }

    private Errand errand() {
        // A second pod, should the node of the first one die before it has told its phase, leaves what is done alone.
        if (has("Complete").isPresent() || pods.stream().anyMatch(AgentJob::isDone)) {
            return new Errand.Done(reports()
                    .filter(report -> report.state() == AgentReport.State.COMPLETED)
                    .reduce((earlier, later) -> later.after(earlier)));
        }
        return has("Failed")
                .<Errand>map(
                        failed -> new Errand.Failed(whyFailed(failed), "PodFailurePolicy".equals(failed.getReason())))
                .orElseGet(() -> new Errand.Sent(trouble().or(this::lastAttempt)));
    }

    private Optional<JobCondition> has(String type) {
        return Optional.ofNullable(job.getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
                .filter(condition -> condition.getType().equals(type) && "True".equals(condition.getStatus()))
                .findFirst();
    }

    private String whyFailed(JobCondition failed) {
        return failure()
                .orElseGet(() -> "Job %s failed without a word (%s); create another EtcdRestore to have it tried again"
                        .formatted(job.getMetadata().getName(), failed.getReason()));
    }

    /** What the last attempt came to, while the next one has not come as far. */
    private Optional<String> lastAttempt() {
        return failure().map("An attempt failed and is made again: "::concat);
    }

    /** The agent's own sentence; of etcdutl the end of its log. The pod and its logs go when this was told. */
    private Optional<String> failure() {
        return pods.stream()
                .flatMap(pod -> failureIn(pod).map(why -> why + wordsOfEtcd(pod)).stream())
                .reduce((earlier, later) -> later);
    }

    private static Optional<String> failureIn(Pod pod) {
        return containers(pod)
                .flatMap(container -> ended(container)
                        .filter(end -> end.getExitCode() != null && end.getExitCode() != 0)
                        .map(end -> inWords(container.getName(), end))
                        .stream())
                .reduce((earlier, later) -> later);
    }

    /** Of the one that reads a survivor's log, and is started again and again beside the agent. */
    private static String wordsOfEtcd(Pod pod) {
        return containers(pod)
                .filter(container -> ThrowAwayEtcd.CONTAINER.equals(container.getName()))
                .flatMap(container -> Stream.of(
                        Optional.ofNullable(container.getState()), Optional.ofNullable(container.getLastState())))
                .flatMap(Optional::stream)
                .map(ContainerState::getTerminated)
                .filter(end -> end != null && end.getExitCode() > 0 && end.getExitCode() < KILLED)
                .map(end -> EtcdLog.lastWords(end.getMessage()))
                .filter(words -> !words.isEmpty())
                .findFirst()
                .map("; etcd has ended"::concat)
                .orElse("");
    }

    private static String inWords(String container, ContainerStateTerminated end) {
        Optional<String> message = Optional.ofNullable(end.getMessage()).filter(text -> !text.isBlank());
        return message.flatMap(ReportText::read)
                .flatMap(report -> Optional.ofNullable(report.message()))
                .orElseGet(() -> "%s ended with exit code %d%s"
                        .formatted(
                                container,
                                end.getExitCode(),
                                message.map(String::strip).map(": "::concat).orElse("")));
    }

    private Stream<AgentReport> reports() {
        return pods.stream()
                .flatMap(ErrandReader::containers)
                .flatMap(container -> ended(container).stream())
                .flatMap(end -> Stream.ofNullable(end.getMessage()))
                .flatMap(message -> ReportText.read(message).stream());
    }

    /** A volume or node that is not to be had, or a container that cannot be started. */
    private Optional<String> trouble() {
        return pods.stream()
                .filter(pod -> "Pending".equals(phase(pod)))
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
        return Optional.ofNullable(pod.getStatus()).stream()
                .flatMap(status -> Stream.concat(
                        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream()));
    }

    private static Optional<ContainerStateTerminated> ended(ContainerStatus container) {
        return Optional.ofNullable(container.getState()).flatMap(state -> Optional.ofNullable(state.getTerminated()));
    }

    private static String phase(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getPhase).orElse("Pending");
    }
}
