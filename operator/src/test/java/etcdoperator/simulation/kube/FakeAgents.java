package etcdoperator.simulation.kube;

import etcdoperator.agentreport.AgentReport;
import etcdoperator.agentreport.ExitCodes;
import etcdoperator.agentreport.ReportText;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.replay.Dice;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pods of agents: each step late, and any of them in vain. */
public final class FakeAgents {
    private static final int KILLED = 137;

    private final FakeApiServer server;
    private final FakeJobs jobs;
    private final FakeNodes nodes;
    private final Work work;
    private final Dice dice;
    private final Map<String, Running> runs = new HashMap<>();
    private boolean clumsy;

    /** What the containers of agents do. */
    public interface Work {
        /** For a restore. @param toTheEnd or until all is in place, and nothing written down of it */
        AgentReport carryOut(Pod pod, boolean toTheEnd);

        /** For a backup or a drill. */
        AgentRun begin(Pod pod);
    }

    /** A container that runs. @param boots how often its node had been started by then */
    private record Running(AgentRun run, int boots) {}

    public FakeAgents(FakeApiServer server, FakeJobs jobs, FakeNodes nodes, Work work, Dice dice) {
        this.server = server;
        this.jobs = jobs;
        this.nodes = nodes;
        this.work = work;
        this.dice = dice;
    }

    /** Whether attempts fail now and then. */
    public void beClumsy(boolean now) {
        clumsy = now;
    }

    /** @return everything that the controller of Jobs or one of their pods would do now */
    public List<Runnable> pending() {
        List<Runnable> steps = new ArrayList<>(jobs.pending());
        for (Pod pod : server.list(Pod.class)) {
            if (Objects.isAgent(pod)) {
                next(pod).ifPresent(steps::add);
            }
        }
        return steps;
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
            return Optional.of(() -> {
                runs.remove(pod.getMetadata().getUid());
                server.remove(pod);
            });
        }
        return switch (pod.getStatus().getPhase()) {
            case null -> Optional.of(() -> start(pod));
            case "Running" -> Optional.of(() -> goOn(pod));
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

    private void start(Pod pod) {
        if (pod.getMetadata().getLabels().containsKey(Labels.RESTORE)) {
            attempt(pod);
        } else {
            runs.put(
                    pod.getMetadata().getUid(),
                    new Running(
                            work.begin(pod), nodes.boots(pod.getSpec().getNodeName())));
            report(pod, "Running", running(pod));
        }
    }

    private void goOn(Pod pod) {
        if (pod.getStatus().getContainerStatuses().getFirst().getState().getTerminated() != null) {
            conclude(pod);
            return;
        }
        Running running = runs.get(pod.getMetadata().getUid());
        boolean survived = running.boots() == nodes.boots(pod.getSpec().getNodeName());
        if (!survived || (clumsy && dice.oneIn(8))) {
            end(pod, "Failed", ended(pod, KILLED, null));
            return;
        }
        running.run().step().ifPresent(how -> {
            boolean done = how.exitCode() == ExitCodes.DONE;
            end(pod, done ? "Running" : "Failed", ended(pod, how.exitCode(), ReportText.write(how.report())));
        });
    }

    private void end(Pod pod, String phase, ContainerStatus container) {
        runs.remove(pod.getMetadata().getUid());
        report(pod, phase, container);
    }

    /** One may be killed before it has begun, or when all is done and nothing said yet. */
    private void attempt(Pod pod) {
        boolean killed = clumsy && dice.oneIn(6);
        if (killed && dice.oneIn(2)) {
            report(pod, "Failed", ended(pod, KILLED, null));
            return;
        }
        AgentReport report = work.carryOut(pod, !killed);
        boolean done = report.state() == AgentReport.State.COMPLETED && !killed;
        report(
                pod,
                done ? "Running" : "Failed",
                ended(
                        pod,
                        killed ? KILLED : done ? ExitCodes.DONE : ExitCodes.FATAL,
                        killed ? null : ReportText.write(report)));
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

    private static ContainerStatus running(Pod pod) {
        return new ContainerStatusBuilder()
                .withName(pod.getSpec().getContainers().getFirst().getName())
                .withNewState()
                .withNewRunning()
                .endRunning()
                .endState()
                .build();
    }

    private static ContainerStatus ended(Pod pod, int code, @Nullable String message) {
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
}
