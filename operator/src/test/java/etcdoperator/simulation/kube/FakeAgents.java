package etcdoperator.simulation.kube;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ReportText;
import etcdoperator.simulation.replay.Dice;
import etcdoperator.simulation.replay.ManualClock;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Jobs, and the pods that do them: each step late, and any of them in vain. */
public final class FakeAgents {
    private static final int ATTEMPTS = 4;

    /** What the container of an agent does. */
    public interface Work {
        /** @param toTheEnd or until all is in place, and nothing written down of it */
        AgentReport carryOut(Pod pod, boolean toTheEnd);
    }

    private final FakeApiServer server;
    private final FakeNodes nodes;
    private final Work work;
    private final Dice dice;
    private final ManualClock clock;
    private boolean clumsy;
    private int pods;

    public FakeAgents(FakeApiServer server, FakeNodes nodes, Work work, Dice dice, ManualClock clock) {
        this.server = server;
        this.nodes = nodes;
        this.work = work;
        this.dice = dice;
        this.clock = clock;
    }

    /** Whether attempts fail now and then. */
    public void beClumsy(boolean now) {
        clumsy = now;
    }

    /** @return everything that the controller of Jobs or one of their pods would do now */
    public List<Runnable> pending() {
        List<Runnable> steps = new ArrayList<>();
        for (Job job : server.list(Job.class)) {
            if (!isOver(job) && !Objects.isDeleting(job)) {
                next(job).ifPresent(steps::add);
            }
        }
        for (Pod pod : server.list(Pod.class)) {
            if (Objects.isAgent(pod)) {
                next(pod).ifPresent(steps::add);
            }
        }
        return steps;
    }

    private Optional<Runnable> next(Job job) {
        List<Pod> own = server.list(Pod.class).stream()
                .filter(pod -> Objects.controllerUid(pod)
                        .equals(Optional.of(job.getMetadata().getUid())))
                .toList();
        if (own.stream().anyMatch(pod -> "Succeeded".equals(pod.getStatus().getPhase()))) {
            return Optional.of(() -> end(job, "Complete", "CompletionsReached"));
        }
        if (own.stream().anyMatch(FakeAgents::isHopeless)) {
            return Optional.of(() -> end(job, "Failed", "PodFailurePolicy"));
        }
        if (own.stream().filter(FakeAgents::hasFailed).count() >= ATTEMPTS) {
            return Optional.of(() -> end(job, "Failed", "BackoffLimitExceeded"));
        }
        return own.stream().allMatch(FakeAgents::hasFailed) ? Optional.of(() -> makePod(job)) : Optional.empty();
    }

    private Optional<Runnable> next(Pod pod) {
        String node = pod.getSpec().getNodeName();
        if (node == null) {
            return claims(pod).filter(claims -> !Objects.isDeleting(pod)).map(claims -> () -> nodes.place(pod, claims));
        }
        if (!nodes.isUp(node)) {
            return Optional.empty();
        }
        if (Objects.isDeleting(pod)) {
            return Optional.of(() -> server.remove(pod));
        }
        return switch (pod.getStatus().getPhase()) {
            case null -> Optional.of(() -> attempt(pod));
            case "Running" -> Optional.of(() -> conclude(pod));
            default -> Optional.empty();
        };
    }

    /** Empty where one of them is missing or on its way out: the pod waits. */
    private Optional<List<PersistentVolumeClaim>> claims(Pod pod) {
        List<String> names = Objects.claimsOf(pod.getSpec());
        List<PersistentVolumeClaim> there = names.stream()
                .flatMap(name -> server.get(PersistentVolumeClaim.class, name).stream())
                .filter(claim -> !Objects.isDeleting(claim))
                .toList();
        return there.size() == names.size() ? Optional.of(there) : Optional.empty();
    }

    /** One may be killed before it has begun, or when all is done and nothing said yet. */
    private void attempt(Pod pod) {
        boolean killed = clumsy && dice.oneIn(6);
        if (killed && dice.oneIn(2)) {
            report(pod, "Failed", ended(pod, 137, null));
            return;
        }
        AgentReport report = work.carryOut(pod, !killed);
        boolean done = report.state() == AgentReport.State.COMPLETED && !killed;
        report(
                pod,
                done ? "Running" : "Failed",
                ended(pod, killed ? 137 : done ? 0 : 2, killed ? null : ReportText.write(report)));
    }

    /** Of a pod whose containers have ended its node says only later what became of it, or never does. */
    private void conclude(Pod pod) {
        boolean lost = clumsy && dice.oneIn(6);
        report(
                pod,
                lost ? "Failed" : "Succeeded",
                pod.getStatus().getContainerStatuses().getFirst());
    }

    private void report(Pod pod, String phase, ContainerStatus container) {
        server.change(pod, changed -> {
            changed.setStatus(new PodStatusBuilder()
                    .withPhase(phase)
                    .withContainerStatuses(container)
                    .build());
            return changed;
        });
    }

    private static ContainerStatus ended(Pod pod, int code, String message) {
        return new ContainerStatusBuilder()
                .withName(pod.getSpec().getContainers().getFirst().getName())
                .withNewState()
                .withNewTerminated()
                .withExitCode(code)
                .withMessage(message)
                .endTerminated()
                .endState()
                .build();
    }

    private void end(Job job, String how, String why) {
        server.change(job, changed -> {
            changed.setStatus(new JobStatusBuilder()
                    .addNewCondition()
                    .withType(how)
                    .withReason(why)
                    .withLastTransitionTime(
                            clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                    .withStatus("True")
                    .endCondition()
                    .build());
            return changed;
        });
    }

    private void makePod(Job job) {
        var template = job.getSpec().getTemplate();
        var pod = new Pod();
        pod.setMetadata(new ObjectMetaBuilder(template.getMetadata())
                .withNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName() + "-" + ++pods)
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withKind(job.getKind())
                        .withName(job.getMetadata().getName())
                        .withUid(job.getMetadata().getUid())
                        .withController(true)
                        .build())
                .build());
        pod.setSpec(FakeControllers.onNode(template.getSpec(), null));
        pod.setStatus(new PodStatus());
        server.create(pod);
    }

    private static boolean isOver(Job job) {
        return job.getStatus() != null && !job.getStatus().getConditions().isEmpty();
    }

    private static boolean isHopeless(Pod pod) {
        return "Failed".equals(pod.getStatus().getPhase())
                && pod.getStatus().getContainerStatuses().stream()
                        .anyMatch(container ->
                                container.getState().getTerminated().getExitCode() == 2);
    }

    private static boolean hasFailed(Pod pod) {
        return "Failed".equals(pod.getStatus().getPhase()) || Objects.isDeleting(pod);
    }
}
