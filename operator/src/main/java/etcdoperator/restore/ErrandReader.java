package etcdoperator.restore;

import etcdoperator.agentjob.AgentJobReader;
import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.domain.EtcdLog;
import etcdoperator.manifest.ThrowAwayEtcd;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the Job of a restore says. Its containers run one after the other, and any may fail. Pure. */
public final class ErrandReader {
    /** From this exit code on it was ended from outside. */
    private static final int KILLED = 128;

    private final AgentJobReader job;

    private ErrandReader(AgentJobReader job) {
        this.job = job;
    }

    public static Errand read(String name, List<Job> jobs, List<Pod> pods) {
        return AgentJobReader.find(name, jobs, pods)
                .map(job -> new ErrandReader(job).errand())
                .orElseGet(Errand.NotSent::new);
    }

    private Errand errand() {
        if (job.isDone()) {
            return new Errand.Done(job.reports()
                    .filter(report -> report.state() == AgentReport.State.COMPLETED)
                    .reduce((earlier, later) -> later.after(earlier)));
        }
        return job.failure()
                .<Errand>map(failed -> new Errand.Failed(
                        lastFailure()
                                .orElseGet(() ->
                                        "Job %s failed without a word (%s); create another EtcdRestore to have it tried again"
                                                .formatted(job.name(), failed.getReason())),
                        job.isFatal()))
                .orElseGet(() -> new Errand.Sent(job.obstacle(lastFailure())));
    }

    /** The agent's own sentence; of etcdutl the end of its log. The pod and its logs go when this was told. */
    private Optional<String> lastFailure() {
        return job.pods().stream()
                .flatMap(pod -> failureIn(pod).map(why -> why + wordsOfEtcd(pod)).stream())
                .reduce((earlier, later) -> later);
    }

    private static Optional<String> failureIn(Pod pod) {
        return AgentJobReader.containers(pod)
                .flatMap(container -> AgentJobReader.ended(container)
                        .filter(end -> end.getExitCode() != null && end.getExitCode() != 0)
                        .map(end -> inWords(container.getName(), end))
                        .stream())
                .reduce((earlier, later) -> later);
    }

    /** Of the one that reads a survivor's log, and is started again and again beside the agent. */
    private static String wordsOfEtcd(Pod pod) {
        return AgentJobReader.containers(pod)
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
}
