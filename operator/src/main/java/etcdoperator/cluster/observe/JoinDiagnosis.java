package etcdoperator.cluster.observe;

import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.domain.Promotion;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;

/** Reads from a pod whether its etcd was ever started, and whether it can join the cluster as a learner. */
final class JoinDiagnosis {
    /** What etcd says when the leader counts on entries that it does not have; of a long trace only the end is kept. */
    private static final List<String> ON_MISSING_ENTRIES = List.of("tocommit(", "(*raftLog).commitTo");

    private static final String ON_REMOVAL = "permanently removed from the cluster";

    private JoinDiagnosis() {}

    /** Whether etcd was started in this pod, however that ended. */
    static boolean hasRun(Pod pod) {
        return Diagnosis.container(pod)
                .filter(container -> Diagnosis.lastEnd(container) != null
                        || (container.getState() != null
                                && container.getState().getRunning() != null))
                .isPresent();
    }

    /** Two starts in a row of a learner that ended so: another start ends the same. */
    static Optional<Problem> of(Pod pod, String claim, ClusterObjects objects) {
        return Diagnosis.container(pod)
                .filter(container -> !Boolean.TRUE.equals(container.getReady()) && learns(claim, objects))
                .flatMap(container -> Optional.ofNullable(Diagnosis.lastEnd(container))
                        .filter(JoinDiagnosis::isFailure)
                        .filter(last -> Diagnosis.hasEndedTwice(container, JoinDiagnosis::isFailure)))
                .map(last -> new Problem(
                        Kind.JoinFailed,
                        "etcd in pod %s cannot join the cluster: %s. The operator removes this member, and adds another one with another id on a new claim"
                                .formatted(
                                        pod.getMetadata().getName(),
                                        isPanic(last)
                                                ? "it panics, because the leader counts on entries that its volume does not have (tocommit is out of range)"
                                                : "it ends by itself, as a member does that was removed from the cluster")));
    }

    /** As far as the claim records it: an administrator may have promoted its member. */
    private static boolean learns(String claimName, ClusterObjects objects) {
        return objects.claims().stream()
                .filter(claim -> claim.getMetadata().getName().equals(claimName))
                .anyMatch(claim -> Promotion.named(
                                claim.getMetadata().getAnnotations().get(Labels.PROMOTION))
                        .equals(Optional.of(Promotion.NOT_REQUESTED)));
    }

    private static boolean isFailure(ContainerStateTerminated end) {
        return isPanic(end) || takesItselfForRemoved(end);
    }

    private static boolean isPanic(ContainerStateTerminated end) {
        return ON_MISSING_ENTRIES.stream().anyMatch(words(end)::contains);
    }

    /** It ends with code 0 then, and Kubernetes keeps no message. */
    private static boolean takesItselfForRemoved(ContainerStateTerminated end) {
        boolean well = end.getExitCode() != null && end.getExitCode() == 0;
        return words(end).contains(ON_REMOVAL) || (well && Diagnosis.wasShort(end));
    }

    private static String words(ContainerStateTerminated end) {
        return end.getMessage() == null ? "" : end.getMessage();
    }
}
