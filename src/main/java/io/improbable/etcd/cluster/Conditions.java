package io.improbable.etcd.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.improbable.etcd.api.OperationType;
import io.improbable.etcd.cluster.Membership.Health.Unhealthy;
import io.improbable.etcd.cluster.Membership.MemberView;
import io.improbable.etcd.cluster.Membership.Reachable;
import io.improbable.etcd.cluster.Membership.Unreachable;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Available, Progressing and Degraded, each with a reason for machines and a sentence for people. */
final class Conditions {
    static final String AVAILABLE = "Available";
    static final String PROGRESSING = "Progressing";
    static final String DEGRADED = "Degraded";

    private final ClusterView view;
    private final Step step;
    private final List<Condition> before;

    private Conditions(ClusterView view, Step step, List<Condition> before) {
        this.view = view;
        this.step = step;
        this.before = before;
    }

    static List<Condition> of(ClusterView view, Step step, Long generation, List<Condition> before) {
        var conditions = new Conditions(view, step, before);
        return List.of(conditions.available(), conditions.progressing(), conditions.degraded()).stream()
                .map(finding -> finding.toCondition(view, generation, before))
                .toList();
    }

    private Finding available() {
        if (view.wish().replicas() == 0 && view.ownPeers().stream().allMatch(PeerView::stopped)) {
            return new Finding(AVAILABLE, false, "Asleep", step.reason());
        }
        return switch (view.membership()) {
            case Reachable r
            when r.quorumAnswers() -> {
                long healthy = r.members().stream().filter(MemberView::healthy).count();
                boolean all =
                        healthy == r.members().size() && healthy == view.wish().replicas();
                yield new Finding(AVAILABLE, true, all ? "Healthy" : "QuorumHealthy", healthyOf(healthy));
            }
            case Reachable r ->
                new Finding(AVAILABLE, false, starting("NoQuorum"), "No quorum answers: " + step.reason());
            case Unreachable(String why) -> new Finding(AVAILABLE, false, starting("Unreachable"), step.reason());
        };
    }

    /** A cluster that has yet to start is not a cluster that was lost. */
    private String starting(String otherwise) {
        if (step instanceof Step.Stuck || !Problems.of(view).isEmpty()) {
            return "Blocked";
        }
        return underWay().map(Conditions::participle).orElse(view.ownPeers().isEmpty() ? "Waiting" : otherwise);
    }

    private Optional<OperationType> underWay() {
        return switch (step) {
            case Step.Bootstrap s -> Optional.of(OperationType.BOOTSTRAP);
            case Step.Resume s -> Optional.of(OperationType.RESUME);
            case Step.Adopt s -> Optional.of(OperationType.ADOPT);
            case Step.Sleep s -> Optional.of(OperationType.SLEEP);
            case Step.Wake s -> Optional.of(OperationType.RESUME);
            case Step.MoveLeader s -> Optional.of(s.task().type());
            case Step.RemoveMember s -> Optional.of(s.task().type());
            case Step.Admit s -> Optional.of(s.task().type());
            case Step.Promote s -> Optional.of(s.task().type());
            case Step.Expel s -> Optional.of(s.task().type());
            case Step.Retire s -> recorded();
            case Step.Keep s -> recorded();
            case Step.Discard s -> recorded();
            case Step.Seal s -> recorded();
            case Step.Tend s -> recorded();
            case Step.Finish s -> recorded();
            case Step.Wait s -> recorded();
            case Step.Stuck s -> recorded();
            case Step.Steady s -> recorded();
        };
    }

    private Optional<OperationType> recorded() {
        return view.memory().operation().map(Operation::type);
    }

    private String healthyOf(long healthy) {
        int members = view.reachable().map(r -> r.members().size()).orElse(0);
        return "A quorum answers; %d of %d members are known to be healthy"
                .formatted(healthy, Math.max(members, view.wish().replicas()));
    }

    private Finding progressing() {
        String operation = underWay().map(Conditions::word).orElse("Waiting");
        return switch (step) {
            case Step.Steady s -> new Finding(PROGRESSING, false, "Settled", s.reason());
            case Step.Stuck s ->
                new Finding(PROGRESSING, false, s.problem().kind().name(), s.reason());
            case Step.Finish s -> new Finding(PROGRESSING, false, "Settled", s.reason());
            case Step.Bootstrap s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Resume s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Sleep s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Wake s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.MoveLeader s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.RemoveMember s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Admit s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Promote s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Expel s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Retire s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Keep s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Discard s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Seal s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Adopt s -> asBefore().orElse(new Finding(PROGRESSING, true, "Adopt", s.reason()));
            case Step.Tend s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Wait s -> new Finding(PROGRESSING, true, operation, s.reason());
        };
    }

    /** Steps that are over with this pass: Events tell of them, and a status of their own would be gone at once. */
    private Optional<Finding> asBefore() {
        return before.stream()
                .filter(known -> known.getType().equals(PROGRESSING))
                .map(known -> new Finding(
                        PROGRESSING, known.getStatus().equals("True"), known.getReason(), known.getMessage()))
                .findFirst();
    }

    static String word(OperationType type) {
        return switch (type) {
            case BOOTSTRAP -> "Bootstrap";
            case RESUME -> "Resume";
            case ADOPT -> "Adopt";
            case SCALE_UP -> "ScaleUp";
            case SCALE_DOWN -> "ScaleDown";
            case REPLACE -> "Replace";
            case EXPEL -> "Expel";
            case SLEEP -> "Sleep";
        };
    }

    private static String participle(OperationType type) {
        return switch (type) {
            case BOOTSTRAP -> "Bootstrapping";
            case RESUME -> "Resuming";
            case ADOPT -> "Adopting";
            case SCALE_UP -> "ScalingUp";
            case SCALE_DOWN -> "ScalingDown";
            case REPLACE -> "Replacing";
            case EXPEL -> "Expelling";
            case SLEEP -> "FallingAsleep";
        };
    }

    private Finding degraded() {
        if (step instanceof Step.Stuck(Problem problem)) {
            return new Finding(DEGRADED, true, problem.kind().name(), problem.message());
        }
        Optional<Problem> problem = Problems.of(view).stream().findFirst();
        if (problem.isPresent()) {
            return new Finding(
                    DEGRADED, true, problem.get().kind().name(), problem.get().message());
        }
        Optional<Operation> replacement =
                view.memory().operation().filter(operation -> operation.type() == OperationType.REPLACE);
        if (replacement.isPresent() && !(step instanceof Step.Finish)) {
            return new Finding(DEGRADED, true, "MemberLost", replacement.get().reason());
        }
        Optional<Finding> late = lateLearner();
        if (late.isPresent()) {
            return late.get();
        }
        boolean starting = view.isStarting()
                || view.wish().replicas() == 0
                || view.ownPeers().stream().allMatch(PeerView::stopped);
        return switch (view.membership()) {
            case Unreachable(String why)
            when !starting && !view.ownPeers().isEmpty() ->
                new Finding(DEGRADED, true, "Unreachable", "No member answers: " + why);
            case Unreachable u -> new Finding(DEGRADED, false, "AsExpected", "Nothing is wrong");
            case Reachable r -> unhealthy(r, starting);
        };
    }

    /** One that goes on learning for this long writes less than it is sent, or cannot reach the leader. */
    private Optional<Finding> lateLearner() {
        return view.memory()
                .operation()
                .filter(operation ->
                        operation.startedAt().plus(view.wish().memberTimeout()).isBefore(view.now()))
                .flatMap(operation -> view.reachable().stream()
                        .flatMap(reachable -> reachable.learners().stream())
                        .findFirst()
                        .map(learner -> new Finding(
                                DEGRADED,
                                true,
                                "LearnerBehind",
                                "Member %s was added at %s and has not caught up with the others yet; it gets its vote once it has"
                                        .formatted(learner.known(), operation.startedAt()))));
    }

    private static Finding unhealthy(Reachable reachable, boolean starting) {
        // A learner that has yet to catch up was never counted on.
        return reachable.voters().stream()
                .filter(member -> !starting)
                .flatMap(member -> member.health() instanceof Unhealthy(String why)
                        ? Optional.of("Member %s is not healthy: %s".formatted(member.known(), why)).stream()
                        : Optional.<String>empty().stream())
                .findFirst()
                .map(message -> new Finding(DEGRADED, true, "MemberUnhealthy", message))
                .orElseGet(() -> new Finding(DEGRADED, false, "AsExpected", "Nothing is wrong"));
    }

    /** A condition before it has a time. */
    private record Finding(String type, boolean holds, String reason, String message) {
        Condition toCondition(ClusterView view, Long generation, List<Condition> before) {
            String status = holds ? "True" : "False";
            String since = before.stream()
                    .filter(known ->
                            known.getType().equals(type) && known.getStatus().equals(status))
                    .map(Condition::getLastTransitionTime)
                    .findFirst()
                    .orElseGet(() -> view.now().truncatedTo(ChronoUnit.SECONDS).toString());
            return new ConditionBuilder()
                    .withType(type)
                    .withStatus(status)
                    .withReason(reason)
                    .withMessage(message)
                    .withObservedGeneration(generation)
                    .withLastTransitionTime(since)
                    .build();
        }
    }
}
