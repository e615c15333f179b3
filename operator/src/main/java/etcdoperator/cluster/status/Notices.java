package etcdoperator.cluster.status;

import static java.util.stream.Collectors.toMap;

import etcdoperator.api.MemberStatus;
import etcdoperator.cluster.effect.Effect;
import etcdoperator.cluster.effect.Effect.Annotate;
import etcdoperator.cluster.effect.Effect.Apply;
import etcdoperator.cluster.effect.Effect.Create;
import etcdoperator.cluster.effect.Effect.RecordOperation;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.lifecycle.Sleeping;
import etcdoperator.cluster.services.Support;
import etcdoperator.cluster.step.AuthStep;
import etcdoperator.cluster.step.ClaimStep;
import etcdoperator.cluster.step.LifecycleStep;
import etcdoperator.cluster.step.MaintenanceStep;
import etcdoperator.cluster.step.MembershipStep;
import etcdoperator.cluster.step.Outcome;
import etcdoperator.cluster.step.RecoveryStep;
import etcdoperator.cluster.step.RolloutStep;
import etcdoperator.cluster.step.ServiceStep;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.TlsStep;
import etcdoperator.cluster.view.ClusterView.Wish;
import etcdoperator.cluster.view.Operation;
import etcdoperator.kube.Notice;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people are told of: each thing done, and each turn for the worse or the better. */
public final class Notices {
    private Notices() {}

    public static Optional<Notice> of(Effect effect) {
        return switch (effect) {
            case RecordOperation(Operation operation) ->
                Optional.of(Notice.normal(Conditions.word(operation.type()) + "Started", operation.reason()));
            case Create(HasMetadata object) ->
                Optional.of(Notice.normal(object.getKind() + "Created", "Created " + Support.nameOf(object)));
            case Apply(HasMetadata object) ->
                Optional.of(Notice.normal(object.getKind() + "Updated", "Updated " + Support.nameOf(object)));
            case Effect.Delete(HasMetadata object) ->
                Optional.of(Notice.normal(object.getKind() + "Deleted", "Deleted " + Support.nameOf(object)));
            case ReplacePeer replaced -> Optional.empty();
            case Annotate annotated -> Optional.empty();
            case Effect.RequireLossAsSeen required -> Optional.empty();
            case Effect.ConfirmMembers confirmed -> Optional.empty();
            case Effect.ChangeMembers changed -> Optional.empty();
            case Effect.TellEtcd told -> Optional.empty();
            case Effect.Announce(String reason, String message) -> Optional.of(Notice.warning(reason, message));
            case Effect.Issue issued -> Optional.empty();
            case Effect.MakePassword(String secret, String user) ->
                Optional.of(Notice.normal(
                        "PasswordMade", "Made a password for user %s in Secret %s".formatted(user, secret)));
            case Effect.ForgetPassword forgotten -> Optional.empty();
            case Effect.Begin begun -> Optional.empty();
            case Effect.Label labelled -> Optional.empty();
            case Effect.Mark marked -> Optional.empty();
            case Effect.Resize(var claim, var storage) ->
                Optional.of(Notice.normal(
                        "PersistentVolumeClaimExpanded",
                        "Asked for %s on %s".formatted(storage, Support.nameOf(claim))));
        };
    }

    public static List<Notice> of(Step step) {
        return switch (step) {
            case LifecycleStep.Seal seal ->
                seal.joined().stream()
                        .map(joined -> Notice.normal(
                                "MemberJoined", "%s joined as member %s".formatted(joined.peer(), joined.memberId())))
                        .toList();
            case Outcome.Finish finish
            when Sleeping.hasCutShort(finish) ->
                List.of(Notice.normal(
                        Conditions.word(finish.operation().type()) + "Ended",
                        "%s was not finished when the cluster fell asleep"
                                .formatted(Conditions.word(finish.operation().type()))));
            case Outcome.Finish finish ->
                List.of(Notice.normal(
                        Conditions.word(finish.operation().type()) + "Finished",
                        "%s finished: %s"
                                .formatted(Conditions.word(finish.operation().type()), finish.reason())));
            case MembershipStep.Admit s
            when !s.added() -> List.of(Notice.normal("MemberAdded", "Added %s as learner".formatted(s.peer())));
            case MembershipStep.Admit s -> List.of();
            case MembershipStep.Promote s ->
                List.of(Notice.normal("MemberPromoted", "%s votes now".formatted(s.peer())));
            case MembershipStep.MoveLeader s ->
                List.of(Notice.normal("LeaderMoved", "Moved leadership from %s to %s".formatted(s.from(), s.toName())));
            case MembershipStep.RemoveMember s
            when s.peerStays() ->
                List.of(Notice.warning("MemberReplaced", "Removed member %s. %s".formatted(named(s), s.reason())));
            case MembershipStep.RemoveMember s -> List.of(Notice.normal("MemberRemoved", "Removed member " + named(s)));
            case MembershipStep.Expel s -> List.of(Notice.warning("MemberRemoved", "Removed member " + s.member()));
            case RolloutStep.Restart s -> List.of(Notice.normal("MemberRestarted", s.reason()));
            case RolloutStep.EnableDowngrade s ->
                List.of(Notice.normal(
                        "DowngradeEnabled", "etcd goes back to " + s.target().line()));
            case RolloutStep.CancelDowngrade s -> List.of(Notice.normal("DowngradeCancelled", s.reason()));
            case MaintenanceStep.Defragment s -> List.of();
            case MaintenanceStep.TakeOut s -> List.of();
            case MaintenanceStep.PutBack s -> List.of();
            case LifecycleStep.Inscribe s -> List.of();
            case MaintenanceStep.Compact s -> List.of();
            case RolloutStep.BackUp s -> List.of();
            case MaintenanceStep.DropBackups s -> List.of(Notice.normal("BackupsDropped", s.reason()));
            case MaintenanceStep.Disarm s -> List.of(Notice.normal("AlarmEnded", s.reason()));
            case TlsStep.Issue s -> List.of(Notice.normal("CertificatesIssued", s.reason()));
            case MembershipStep.Relist s -> List.of();
            case TlsStep.Look s -> List.of();
            case AuthStep.MakePasswords s -> List.of();
            case AuthStep.ReadAccounts s -> List.of();
            case AuthStep.ChangeAccounts s -> List.of();
            case AuthStep.ForgetPassword s -> List.of();
            case MaintenanceStep.Compare s -> List.of();
            case ClaimStep.Expand s -> List.of();
            case ClaimStep.Protect s -> List.of(Notice.normal("ClaimsProtected", s.reason()));
            case RolloutStep.Renew s -> List.of();
            case RolloutStep.WriteSnapshots s -> List.of();
            case Outcome.Rest s -> List.of();
            case LifecycleStep.Sleep s -> List.of();
            case LifecycleStep.Wake s -> List.of();
            case LifecycleStep.LieDown s -> List.of();
            case RecoveryStep.NoteLoss s -> List.of();
            case RecoveryStep.SaveRemains s -> List.of();
            case RecoveryStep.Recover s -> List.of(Notice.warning("RecoveryBegun", s.reason()));
            case RecoveryStep.DropChoice s -> List.of(Notice.normal("ChoiceDropped", s.reason()));
            case RecoveryStep.ConfirmLoss s -> List.of(Notice.normal("LossConfirmed", s.reason()));
            case RecoveryStep.CallOff s -> List.of(Notice.normal("RecoveryCalledOff", s.reason()));
            case ClaimStep.Retire s -> List.of();
            case ClaimStep.Keep s -> List.of();
            case ClaimStep.Discard s -> List.of();
            case LifecycleStep.Bootstrap s -> List.of();
            case LifecycleStep.Resume s -> List.of();
            case LifecycleStep.Adopt s -> List.of();
            case ServiceStep.Tend s -> List.of();
            case Outcome.Wait s -> List.of();
            case Outcome.Stuck s -> List.of();
            case Outcome.Steady s -> List.of();
        };
    }

    private static String named(MembershipStep.RemoveMember step) {
        return step.member().map(id -> "%s of %s".formatted(id, step.peer())).orElse("of " + step.peer());
    }

    /** Said once, when a cluster begins. */
    public static List<Notice> cautions(Wish wish) {
        List<Notice> cautions = new ArrayList<>();
        if (wish.replicas() > 0 && wish.replicas() % 2 == 0) {
            cautions.add(Notice.warning(
                    "EvenReplicas",
                    "%d members survive no more failures than %d would; choose an odd number"
                            .formatted(wish.replicas(), wish.replicas() - 1)));
        }
        if (!wish.version().isTestedLine()) {
            cautions.add(Notice.warning(
                    "UntestedVersion", "etcd %s is not among the tested lines, 3.4 to 3.7".formatted(wish.version())));
        }
        return cautions;
    }

    /** Which of the members run another version than before. */
    public static List<Notice> ofVersions(List<MemberStatus> before, List<MemberStatus> after) {
        Map<String, String> known = before.stream()
                .filter(member -> member.version() != null)
                .collect(toMap(MemberStatus::id, MemberStatus::version, (one, other) -> one));
        return after.stream()
                .filter(member -> member.version() != null
                        && !member.version().equals(known.getOrDefault(member.id(), member.version())))
                .map(member -> Notice.normal(
                        "MemberUpdated",
                        "%s runs etcd %s now, after %s"
                                .formatted(member.name(), member.version(), known.get(member.id()))))
                .toList();
    }

    public static List<Notice> of(List<Condition> before, List<Condition> after) {
        return after.stream()
                .flatMap(condition -> turn(find(before, condition.getType()), condition).stream())
                .toList();
    }

    private static Optional<Notice> turn(Optional<Condition> before, Condition after) {
        boolean held = before.map(Notices::holds).orElse(false);
        return switch (after.getType()) {
            case Conditions.AVAILABLE -> available(held, after);
            case Conditions.DEGRADED -> degraded(held, before.map(Condition::getMessage), after);
            case Aftermath.QUORUM_LOST -> quorumLost(held, after);
            case Aftermath.RECOVERED -> recovered(before.map(Condition::getMessage), after);
            default -> Optional.empty();
        };
    }

    private static Optional<Notice> available(boolean was, Condition now) {
        if (was == holds(now)) {
            return Optional.empty();
        }
        return Optional.of(
                was ? Notice.warning("Unavailable", now.getMessage()) : Notice.normal("Available", now.getMessage()));
    }

    private static Optional<Notice> degraded(boolean was, Optional<String> said, Condition now) {
        if (holds(now)) {
            return said.equals(Optional.of(now.getMessage()))
                    ? Optional.empty()
                    : Optional.of(Notice.warning(now.getReason(), now.getMessage()));
        }
        return was ? Optional.of(Notice.normal("Recovered", now.getMessage())) : Optional.empty();
    }

    private static Optional<Notice> quorumLost(boolean was, Condition now) {
        return holds(now) && !was
                ? Optional.of(Notice.warning(Aftermath.QUORUM_LOST, now.getMessage()))
                : Optional.empty();
    }

    private static Optional<Notice> recovered(Optional<String> said, Condition now) {
        return said.equals(Optional.of(now.getMessage()))
                ? Optional.empty()
                : Optional.of(Notice.warning(Aftermath.RECOVERED, now.getMessage()));
    }

    private static boolean holds(Condition condition) {
        return "True".equals(condition.getStatus());
    }

    private static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.getType().equals(type))
                .findFirst();
    }
}
