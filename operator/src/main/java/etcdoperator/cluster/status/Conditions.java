package etcdoperator.cluster.status;

import etcdoperator.api.OperationType;
import etcdoperator.cluster.step.AuthStep;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Membership.MemberView;
import etcdoperator.cluster.view.Membership.Reachable;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.TlsView;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Available, Progressing and Degraded, each with a reason for machines and a sentence for people. */
public final class Conditions {
    public static final String AVAILABLE = "Available";
    public static final String PROGRESSING = "Progressing";
    public static final String DEGRADED = "Degraded";
    public static final String PAUSED = "Paused";
    static final String CERTIFICATES_VALID = "CertificatesValid";

    public static final String PAUSE =
            "spec.paused is set: nothing is healed, scaled, upgraded or kept up until it is removed; status goes on telling what is seen";

    private final ClusterView view;
    private final Step step;
    private final Long generation;
    private final List<Condition> before;

    private Conditions(ClusterView view, Step step, Long generation, List<Condition> before) {
        this.view = view;
        this.step = step;
        this.generation = generation;
        this.before = before;
    }

    static List<Condition> of(ClusterView view, Step step, Long generation, List<Condition> before) {
        var conditions = new Conditions(view, step, generation, before);
        return Stream.concat(
                        Stream.of(
                                conditions.available(),
                                conditions.progressing(),
                                new Degradation(view, step).finding()),
                        Stream.concat(
                                Stream.of(conditions.certificates(), Safekeeping.of(view), conditions.paused())
                                        .flatMap(Optional::stream),
                                Aftermath.of(view, before)))
                .map(finding -> finding.toCondition(view, generation, before))
                .toList();
    }

    /** Told to whoever has TLS, or has had it. */
    private Optional<Finding> certificates() {
        TlsView tls = view.tls();
        if (tls.equals(TlsView.PLAIN)) {
            return isKnown(CERTIFICATES_VALID)
                    ? Optional.of(new Finding(CERTIFICATES_VALID, true, "NoneNeeded", "Nobody speaks TLS here"))
                    : Optional.empty();
        }
        return tls.problem()
                .map(problem ->
                        new Finding(CERTIFICATES_VALID, false, problem.kind().name(), problem.message()))
                .or(() -> tls.ending().map(Conditions::valid));
    }

    private static Finding valid(TlsView.Ending ending) {
        String after = ending.renewed() ? "it is renewed before that" : "put another one there before that";
        return new Finding(
                CERTIFICATES_VALID,
                true,
                "Valid",
                "Every certificate is good; that in Secret %s is the first to end, on %s, and %s"
                        .formatted(ending.secret(), ending.at(), after));
    }

    private boolean isKnown(String type) {
        return before.stream().anyMatch(condition -> condition.getType().equals(type));
    }

    /** Told only to who has asked for it once. */
    private Optional<Finding> paused() {
        boolean known = isKnown(PAUSED);
        boolean paused = view.wish().paused();
        return known || paused
                ? Optional.of(new Finding(
                        PAUSED,
                        paused,
                        paused ? "Paused" : "NotPaused",
                        paused ? PAUSE : "spec.paused is not set: the operator looks after this cluster"))
                : Optional.empty();
    }

    private Finding available() {
        if (view.wish().restoring().isPresent() && !view.wish().paused()) {
            return new Finding(AVAILABLE, false, "Restoring", step.reason());
        }
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
            case Unreachable(String why, var depths) ->
                new Finding(AVAILABLE, false, starting("Unreachable"), step.reason());
        };
    }

    /** A cluster that has yet to start is not a cluster that was lost. */
    private String starting(String otherwise) {
        if (step instanceof Outcome.Stuck || !Problems.of(view).isEmpty()) {
            return "Blocked";
        }
        return underWay().map(Conditions::participle).orElse(view.ownPeers().isEmpty() ? "Waiting" : otherwise);
    }

    private Optional<OperationType> underWay() {
        return step.progress().operation().or(this::recorded);
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
        var underWay = new Finding(PROGRESSING, true, operation, step.reason());
        if (step instanceof Outcome outcome) {
            return switch (outcome) {
                case Outcome.Steady s -> new Finding(PROGRESSING, false, "Settled", s.reason());
                case Outcome.Finish s -> new Finding(PROGRESSING, false, "Settled", s.reason());
                case Outcome.Stuck s ->
                    new Finding(PROGRESSING, false, s.problem().kind().name(), s.reason());
                case Outcome.Rest s -> new Finding(PROGRESSING, false, PAUSED, s.reason());
                case Outcome.Wait s -> underWay;
            };
        }
        return step.progress().keepsCondition() && !isTriedAgain() ? asBefore().orElse(underWay) : underWay;
    }

    private boolean isTriedAgain() {
        return step instanceof AuthStep.ReadAccounts && view.chores().trouble().isPresent();
    }

    /** Steps that are over with this pass: Events tell of them, and a status of their own would be gone at once. */
    private Optional<Finding> asBefore() {
        return before.stream()
                .filter(known -> known.getType().equals(PROGRESSING))
                // What was said of another spec says nothing of this one.
                .filter(known -> Objects.equals(known.getObservedGeneration(), generation))
                // Nor what was said of a problem that is gone.
                .filter(known -> known.getStatus().equals("True")
                        || known.getReason().equals("Settled")
                        || !Problems.of(view).isEmpty())
                .map(known -> new Finding(
                        PROGRESSING, known.getStatus().equals("True"), known.getReason(), known.getMessage()))
                .findFirst();
    }

    public static String word(OperationType type) {
        return switch (type) {
            case BOOTSTRAP -> "Bootstrap";
            case RESUME -> "Resume";
            case ADOPT -> "Adopt";
            case SCALE_UP -> "ScaleUp";
            case SCALE_DOWN -> "ScaleDown";
            case REPLACE -> "Replace";
            case EXPEL -> "Expel";
            case SLEEP -> "Sleep";
            case ROLL -> "Roll";
            case UPGRADE -> "Upgrade";
            case DOWNGRADE -> "Downgrade";
            case DEFRAGMENT -> "Defragment";
            case FREE_SPACE -> "FreeSpace";
            case DISARM -> "Disarm";
            case ACCOUNTS -> "Accounts";
            case RESTORE -> "Restore";
            case RECOVER -> "Recover";
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
            case ROLL -> "Rolling";
            case UPGRADE -> "Upgrading";
            case DOWNGRADE -> "Downgrading";
            case DEFRAGMENT -> "Defragmenting";
            case FREE_SPACE -> "FreeingSpace";
            case DISARM -> "Disarming";
            case ACCOUNTS -> "ChangingAccounts";
            case RESTORE -> "Restoring";
            case RECOVER -> "Recovering";
        };
    }
}
