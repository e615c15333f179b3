package etcdoperator.simulation.kube;

import etcdoperator.agentreport.ExitCodes;
import etcdoperator.simulation.replay.ManualClock;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The controller of Jobs: a pod at a time, until one succeeds or too many have failed. */
public final class FakeJobs {
    private static final int ATTEMPTS = 4;

    private final FakeApiServer server;
    private final FakeControllers controllers;
    private final ManualClock clock;
    private int pods;

    FakeJobs(FakeApiServer server, FakeControllers controllers, ManualClock clock) {
        this.server = server;
        this.controllers = controllers;
        this.clock = clock;
    }

    List<Runnable> pending() {
        List<Runnable> steps = new ArrayList<>();
        for (Job job : server.list(Job.class)) {
            if (!isOver(job) && !Objects.isDeleting(job)) {
                next(job).ifPresent(steps::add);
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
        if (own.stream().anyMatch(FakeJobs::isHopeless)) {
            return Optional.of(() -> end(job, "Failed", "PodFailurePolicy"));
        }
        if (isLate(job)) {
            return Optional.of(() -> {
                end(job, "Failed", "DeadlineExceeded");
                own.forEach(controllers::delete);
            });
        }
        if (own.stream().filter(FakeJobs::hasFailed).count() >= ATTEMPTS) {
            return Optional.of(() -> end(job, "Failed", "BackoffLimitExceeded"));
        }
        return own.stream().allMatch(FakeJobs::hasFailed) ? Optional.of(() -> makePod(job)) : Optional.empty();
    }

    private boolean isLate(Job job) {
        Long seconds = job.getSpec().getActiveDeadlineSeconds();
        return seconds != null
                && Instant.parse(job.getMetadata().getCreationTimestamp())
                        .plusSeconds(seconds)
                        .isBefore(clock.instant());
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
                        .map(container -> container.getState().getTerminated())
                        .anyMatch(ended -> ended != null && ended.getExitCode() == ExitCodes.FATAL);
    }

    private static boolean hasFailed(Pod pod) {
        return "Failed".equals(pod.getStatus().getPhase()) || Objects.isDeleting(pod);
    }
}
