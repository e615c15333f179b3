package etcdoperator.cluster.status;

import etcdoperator.api.OperationType;
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
            case Step.LieDown s -> Optional.of(s.task().type());
            case Step.NoteLoss s -> Optional.of(s.task().type());
            case Step.SaveRemains s -> Optional.of(s.task().type());
            case Step.Recover s -> Optional.of(s.task().type());
            case Step.CallOff _, Step.ConfirmLoss _ -> recorded();
            case Step.DropChoice s -> recorded();
            case Step.MoveLeader s -> Optional.of(s.task().type());
            case Step.RemoveMember s -> Optional.of(s.task().type());
            case Step.Admit s -> Optional.of(s.task().type());
            case Step.Promote s -> Optional.of(s.task().type());
            case Step.Expel s -> Optional.of(s.task().type());
            case Step.Renew s -> Optional.of(s.task().type());
            case Step.Restart s -> Optional.of(s.task().type());
            case Step.WriteSnapshots s -> Optional.of(s.task().type());
            case Step.BackUp s -> Optional.of(s.task().type());
            case Step.EnableDowngrade s -> Optional.of(s.task().type());
            case Step.CancelDowngrade s -> Optional.of(s.task().type());
            case Step.TakeOut s -> Optional.of(s.task().type());
            case Step.Compact s -> Optional.of(s.task().type());
            case Step.Defragment s -> Optional.of(s.task().type());
            case Step.Disarm s -> Optional.of(s.task().type());
            case Step.Relist s -> Optional.of(s.task().type());
            case Step.ChangeAccounts s -> Optional.of(s.task().type());
            case Step.MakePasswords s -> recorded();
            case Step.ReadAccounts s -> recorded();
            case Step.ForgetPassword s -> recorded();
            case Step.Issue s -> recorded();
            case Step.Look s -> recorded();
            case Step.PutBack s -> recorded();
            case Step.Compare s -> recorded();
            case Step.Expand s -> recorded();
            case Step.Inscribe s -> recorded();
            case Step.Rest s -> recorded();
            case Step.Retire s -> recorded();
            case Step.Keep s -> recorded();
            case Step.Discard s -> recorded();
            case Step.DropBackups s -> recorded();
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
            case Step.LieDown s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.NoteLoss s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.SaveRemains s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Recover s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.CallOff _, Step.ConfirmLoss _ -> new Finding(PROGRESSING, true, operation, step.reason());
            case Step.DropChoice s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.MoveLeader s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.RemoveMember s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Admit s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Promote s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Expel s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Renew s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Restart s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.WriteSnapshots s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.BackUp s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.EnableDowngrade s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.CancelDowngrade s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Rest s -> new Finding(PROGRESSING, false, PAUSED, s.reason());
            case Step.TakeOut s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Compact s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Defragment s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Disarm s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Relist s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Issue s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Look s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.ChangeAccounts s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.MakePasswords s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.ReadAccounts s
            when view.chores().trouble().isPresent() -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.ReadAccounts s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.ForgetPassword s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Inscribe s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.PutBack s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Compare s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Expand s -> new Finding(PROGRESSING, true, operation, s.reason());
            case Step.Retire s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.Keep s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
            case Step.DropBackups s -> asBefore().orElse(new Finding(PROGRESSING, true, operation, s.reason()));
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
