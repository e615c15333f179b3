package etcdoperator.cluster.status;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.recovery.Recovery;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.RecoveryStep;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.Health.Unhealthy;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.Problem;
import java.time.Duration;
import java.util.Optional;

/** Whether anything is wrong, and what first. */
final class Degradation {
    private static final Duration TIME_TO_RESTART = Duration.ofMinutes(1);

    private final ClusterView view;
    private final Step step;

    Degradation(ClusterView view, Step step) {
        this.view = view;
        this.step = step;
    }

    Finding finding() {
        if (step instanceof Outcome.Stuck(Problem problem)) {
            return new Finding(Conditions.DEGRADED, true, problem.kind().name(), problem.message());
        }
        Optional<Finding> cause = cause();
        if (cause.isPresent()) {
            return cause.get();
        }
        Optional<Operation> replacement =
                view.memory().operation().filter(operation -> operation.type() == OperationType.REPLACE);
        if (replacement.isPresent() && !(step instanceof Outcome.Finish)) {
            return new Finding(
                    Conditions.DEGRADED, true, "MemberLost", replacement.get().reason());
        }
        Optional<Finding> alarm = alarm();
        if (alarm.isPresent()) {
            return alarm.get();
        }
        Optional<Finding> late = lateLearner();
        if (late.isPresent()) {
            return late.get();
        }
        boolean starting = view.isStarting()
                || view.wish().replicas() == 0
                || view.ownPeers().stream().allMatch(PeerView::stopped);
        return switch (view.membership()) {
            case Unreachable(String why, var depths)
            when !starting && !view.ownPeers().isEmpty() ->
                new Finding(Conditions.DEGRADED, true, "Unreachable", "No member answers: " + why);
            case Unreachable u -> new Finding(Conditions.DEGRADED, false, "AsExpected", "Nothing is wrong");
            case Reachable r -> unhealthy(r, starting);
        };
    }

    /** Where most voters are lost, all else follows from that; once it is written down, the next pass knows what to do. */
    private Optional<Finding> cause() {
        return Recovery.lossOf(view)
                .filter(loss -> !(step instanceof RecoveryStep.NoteLoss))
                .map(loss -> new Problem(Problem.Kind.MajorityLost, loss))
                .or(() -> Problems.of(view).stream().findFirst())
                .map(problem ->
                        new Finding(Conditions.DEGRADED, true, problem.kind().name(), problem.message()));
    }

    private Optional<Finding> alarm() {
        return view.reachable().stream()
                .flatMap(reachable -> reachable.alarms().stream())
                .findFirst()
                .map(alarm -> switch (alarm.kind()) {
                    case NOSPACE ->
                        new Finding(
                                Conditions.DEGRADED,
                                true,
                                "NoSpace",
                                "A database has reached its quota: etcd takes no writes but deletes until there is space again");
                    case CORRUPT ->
                        new Finding(
                                Conditions.DEGRADED,
                                true,
                                "Corrupt",
                                "etcd has found that members have different data, and takes no writes; they are compared to find out who is wrong");
                });
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
                                Conditions.DEGRADED,
                                true,
                                "LearnerBehind",
                                "Member %s was added at %s and has not caught up with the others yet; it gets its vote once it has"
                                        .formatted(learner.known(), operation.startedAt()))));
    }

    private Finding unhealthy(Reachable reachable, boolean starting) {
        // A learner that has yet to catch up was never counted on.
        return reachable.voters().stream()
                .filter(member -> !starting && !isBeingRestarted(member))
                .flatMap(member -> member.health() instanceof Unhealthy(String why)
                        ? Optional.of("Member %s is not healthy: %s".formatted(member.known(), why)).stream()
                        : Optional.<String>empty().stream())
                .findFirst()
                .map(message -> new Finding(Conditions.DEGRADED, true, "MemberUnhealthy", message))
                .orElseGet(() -> new Finding(Conditions.DEGRADED, false, "AsExpected", "Nothing is wrong"));
    }

    /** What was done on purpose is no news, unless it takes too long. */
    private boolean isBeingRestarted(MemberView member) {
        return view.memory().operation().filter(Operation::restartsMembers).isPresent()
                && member.peer()
                        .flatMap(view::ownPeer)
                        .filter(peer -> peer.unwellSince()
                                .map(since -> view.now().isBefore(since.plus(TIME_TO_RESTART)))
                                .orElse(true))
                        .isPresent();
    }
}
