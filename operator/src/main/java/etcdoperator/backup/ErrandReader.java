package etcdoperator.backup;

import etcdoperator.agentjob.AgentJobReader;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ExitCodes;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the Job of a backup says of an errand. Pure. */
final class ErrandReader {
    private final AgentJobReader job;
    private final Instant since;

    private ErrandReader(AgentJobReader job) {
        this.job = job;
        this.since = job.created();
    }

    static Errand read(String name, List<Job> jobs, List<Pod> pods, Optional<AgentReport> progress) {
        return AgentJobReader.find(name, jobs, pods)
                .map(job -> new ErrandReader(job).errand(progress))
                .orElseGet(Errand.NotSent::new);
    }

    private Errand errand(Optional<AgentReport> progress) {
        if (job.failure().isPresent()) {
            return failed(job.failure().get());
        }
        if (job.isDone()) {
            // A pod that was sent after the one that is done may have failed.
            return job.reports()
                    .filter(report -> report.state() == AgentReport.State.COMPLETED)
                    .reduce((earlier, later) -> later)
                    .<Errand>map(report -> new Errand.Done(since, report))
                    .orElseGet(() -> new Errand.Mute(since));
        }
        return job.running()
                .<Errand>map(pod -> new Errand.AtWork(
                        since, Optional.ofNullable(pod.getStatus().getPodIP()), progress))
                .orElseGet(() -> new Errand.Awaited(since, job.obstacle(lastSentence())));
    }

    private Errand failed(JobCondition failure) {
        Instant at = Optional.ofNullable(failure.getLastTransitionTime())
                .map(Instant::parse)
                .orElse(since);
        if (job.isLate()) {
            return new Errand.Failed(
                    since,
                    at,
                    "The agent took longer than spec.activeDeadline allows, or than half an hour where a member stands"
                            + " still for it; give it more time, or see what holds it up",
                    false);
        }
        Optional<ContainerStateTerminated> end = job.ends().reduce((earlier, later) -> later);
        boolean unanswered = end.filter(last -> Objects.equals(last.getExitCode(), ExitCodes.UNANSWERED))
                .isPresent();
        String why = lastSentence()
                .orElseGet(() -> "The agent's pods ended without a word%s; see kubectl logs job/%s"
                        .formatted(
                                end.map(last -> " (%s, exit code %d)".formatted(last.getReason(), last.getExitCode()))
                                        .orElse(": they were deleted or their node is gone"),
                                job.name()));
        return new Errand.Failed(since, at, why, unanswered);
    }

    private Optional<String> lastSentence() {
        return lastReport().flatMap(report -> Optional.ofNullable(report.message()));
    }

    private Optional<AgentReport> lastReport() {
        return job.reports().reduce((earlier, later) -> later);
    }
}
