package etcdoperator.agentjob;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads from a Job of an agent and from its pods how far it has come. Pure. */
public final class AgentJobReader {
    private final Job job;
    private final List<Pod> pods;

    /** @param pods of whichever Jobs */
    public AgentJobReader(Job job, List<Pod> pods) {
        this.job = job;
        this.pods = pods.stream()
                .filter(pod -> pod.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                                owner -> owner.getUid().equals(job.getMetadata().getUid())))
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                .toList();
    }

    /** Empty where no such Job was created yet. */
    public static Optional<AgentJobReader> find(String name, List<Job> jobs, List<Pod> pods) {
        return jobs.stream()
                .filter(job -> job.getMetadata().getName().equals(name))
                .findFirst()
                .map(job -> new AgentJobReader(job, pods));
    }

    public String name() {
        return job.getMetadata().getName();
    }

    public Instant created() {
        return Instant.parse(job.getMetadata().getCreationTimestamp());
    }

    /** The first pod is the oldest. */
    public List<Pod> pods() {
        return pods;
    }

    /**
     * Whether the Job is complete, or one of its pods has done all of its work. A second pod, should the node of the
     * first one die before it has told its phase, leaves what is done alone.
     */
    public boolean isDone() {
        return condition("Complete").isPresent() || pods.stream().anyMatch(AgentJobReader::isDone);
    }

    /**
     * Whether such a pod has done its work. Its phase says so only a second or two later, and its Job later still; until
     * then the Job may send another one if the node dies.
     */
    static boolean isDone(Pod pod) {
        PodStatus status = pod.getStatus();
        return status != null
                && ("Succeeded".equals(status.getPhase())
                        || (!status.getContainerStatuses().isEmpty()
                                && status.getContainerStatuses().stream().allMatch(AgentJobReader::hasSucceeded)
                                // What runs beside the others is ended after them.
                                && status.getInitContainerStatuses().stream()
                                        .allMatch(container -> ended(container).isPresent())));
    }

    private static boolean hasSucceeded(ContainerStatus container) {
        return ended(container)
                .filter(end -> Objects.equals(end.getExitCode(), 0))
                .isPresent();
    }

    /** Once Kubernetes has given up on it. */
    public Optional<JobCondition> failure() {
        return condition("Failed");
    }

    /** Then Kubernetes has deleted its pods, with all that they could say. */
    public boolean isLate() {
        return failure()
                .filter(failed -> "DeadlineExceeded".equals(failed.getReason()))
                .isPresent();
    }

    /** Whether an agent ended with an exit code that no further attempt would change. */
    public boolean isFatal() {
        return failure()
                .filter(failed -> "PodFailurePolicy".equals(failed.getReason()))
                .isPresent();
    }

    private Optional<JobCondition> condition(String type) {
        return conditions()
                .filter(condition -> condition.getType().equals(type) && "True".equals(condition.getStatus()))
                .findFirst();
    }

    /** Whether Kubernetes changed its verdict on the Job before a moment. */
    public boolean wasJudgedBefore(Instant moment) {
        return conditions()
                .flatMap(condition -> Stream.ofNullable(condition.getLastTransitionTime()))
                .anyMatch(changed -> Instant.parse(changed).isBefore(moment));
    }

    private Stream<JobCondition> conditions() {
        return Optional.ofNullable(job.getStatus()).stream().flatMap(status -> status.getConditions().stream());
    }

    /** The pod in which an agent is at work. */
    public Optional<Pod> running() {
        return pods.stream().filter(pod -> phase(pod).equals("Running")).findFirst();
    }

    /** What containers that have ended said, in their order. */
    public Stream<AgentReport> reports() {
        return ends().flatMap(end -> Stream.ofNullable(end.getMessage()))
                .flatMap(message -> ReportText.read(message).stream());
    }

    public Stream<ContainerStateTerminated> ends() {
        return pods.stream().flatMap(AgentJobReader::containers).flatMap(container -> ended(container).stream());
    }

    /**
     * What holds the Job up: a volume or node that is not to be had, a container that cannot be started, or else what
     * the last attempt came to, while the next one has not come as far.
     */
    public Optional<String> obstacle(Optional<String> lastFailure) {
        return pods.stream()
                .filter(pod -> phase(pod).equals("Pending"))
                .flatMap(pod -> Stream.concat(unschedulable(pod), stuck(pod)))
                .findFirst()
                .or(() -> lastFailure.map("An attempt failed and is made again: "::concat));
    }

    private static Stream<String> unschedulable(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
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

    /** In the order in which Kubernetes starts them. */
    public static Stream<ContainerStatus> containers(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).stream()
                .flatMap(status -> Stream.concat(
                        status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream()));
    }

    public static Optional<ContainerStateTerminated> ended(ContainerStatus container) {
        return Optional.ofNullable(container.getState()).map(ContainerState::getTerminated);
    }

    private static String phase(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).map(PodStatus::getPhase).orElse("Pending");
    }
}
