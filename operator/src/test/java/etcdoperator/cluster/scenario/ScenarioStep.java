package etcdoperator.cluster.scenario;

import etcdoperator.cluster.status.Conditions;
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
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.step.TlsStep;
import etcdoperator.domain.EtcdVersion;
import java.util.LinkedHashMap;
import java.util.Map;

/** A step of a cluster's pass in the words of {@code step.yaml}. A new step does not compile without its words. */
final class ScenarioStep {
    private ScenarioStep() {}

    /** @param wish the version that is asked for, which is not repeated */
    static Map<String, Object> words(Step step, EtcdVersion wish) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("step", step.getClass().getSimpleName());
        words.put("reason", step.reason());
        switch (step) {
            case LifecycleStep.Bootstrap s -> {
                words.put("token", s.token());
                words.put("peers", s.peers());
            }
            case LifecycleStep.Resume s -> {
                Map<String, String> peers = new LinkedHashMap<>();
                s.peers()
                        .forEach(peer -> peers.put(
                                peer.peer().toString(),
                                peer.version().equals(wish)
                                        ? peer.claimName()
                                        : peer.claimName() + " with " + peer.version()));
                words.put("peers", peers);
            }
            case LifecycleStep.Seal s -> {
                Map<String, String> joined = new LinkedHashMap<>();
                s.joined()
                        .forEach(peer -> joined.put(
                                peer.peer() + " on " + peer.claimName(),
                                peer.memberId().toString()));
                words.put("clusterId", s.clusterId().toString());
                words.put("joined", joined);
            }
            case LifecycleStep.Adopt s -> words.put("peers", s.peers());
            case MembershipStep.MoveLeader s -> {
                words.put("task", task(s.task()));
                words.put("to", s.to());
            }
            case MembershipStep.MoveFromMistakenLeader s -> {
                words.put("task", task(s.task()));
                words.put("to", s.to());
            }
            case MembershipStep.SetAside s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
                s.member().ifPresent(member -> words.put("member", member));
                words.put("claim", s.claimName());
            }
            case MembershipStep.RemoveMember s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
                s.member().ifPresent(member -> words.put("member", member));
                words.put("claim", s.claimName());
                words.put("retiredFrom", s.retiredFrom());
                words.put("peerStays", s.peerStays());
            }
            case MembershipStep.Admit s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
                words.put("claim", s.claimName());
                words.put("members", s.members().keySet());
                words.put("added", s.added());
                if (!s.version().equals(wish)) {
                    words.put("version", s.version().toString());
                }
            }
            case MembershipStep.Promote s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
                words.put("member", s.member());
            }
            case MembershipStep.Expel s -> {
                words.put("task", task(s.task()));
                words.put("member", s.member());
            }
            case RolloutStep.Renew s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
            }
            case RolloutStep.Restart s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
                words.put("pod", s.pod());
            }
            case RolloutStep.WriteSnapshots s -> {
                words.put("task", task(s.task()));
                words.put("members", s.members());
                words.put("withoutV2", s.withoutV2());
            }
            case RolloutStep.BackUp s -> {
                words.put("task", task(s.task()));
                words.put("backup", s.backup());
                words.put("before", s.before().toString());
            }
            case MaintenanceStep.DropBackups s -> words.put("backups", s.backups());
            case RolloutStep.EnableDowngrade s -> {
                words.put("task", task(s.task()));
                words.put("target", s.target().line());
            }
            case RolloutStep.CancelDowngrade s -> words.put("task", task(s.task()));
            case MaintenanceStep.TakeOut s -> {
                words.put("task", task(s.task()));
                words.put("pod", s.pod());
            }
            case MaintenanceStep.PutBack s -> words.put("pod", s.pod());
            case MaintenanceStep.Compact s -> words.put("task", task(s.task()));
            case MaintenanceStep.Defragment s -> {
                words.put("task", task(s.task()));
                words.put("member", s.member());
            }
            case MaintenanceStep.Disarm s -> {
                words.put("task", task(s.task()));
                words.put("alarm", s.alarm().kind());
                words.put("member", s.alarm().member());
            }
            case MaintenanceStep.Compare s -> {}
            case MaintenanceStep.CommitEntry s -> words.put("member", s.member());
            case TlsStep.Look s -> {}
            case AuthStep.MakePasswords s -> words.put("due", s.due());
            case AuthStep.ReadAccounts s -> {}
            case AuthStep.ChangeAccounts s -> {
                words.put("task", task(s.task()));
                words.put("orders", s.orders().stream().map(Object::toString).toList());
            }
            case AuthStep.ForgetPassword s -> {}
            case TlsStep.Issue s ->
                words.put("due", s.due().stream().map(ScenarioTls::described).toList());
            case MembershipStep.Relist s -> {
                words.put("task", task(s.task()));
                words.put("peer", s.peer());
                words.put("member", s.member());
                words.put("claim", s.claimName());
                words.put("scheme", s.scheme().word());
            }
            case LifecycleStep.Inscribe s -> words.put("versions", s.versions());
            case ClaimStep.Expand s -> words.put("claims", s.claims());
            case ClaimStep.Protect s -> words.put("claims", s.claims());
            case Outcome.Rest s -> {}
            case LifecycleStep.Sleep s -> words.put("peers", s.peers());
            case LifecycleStep.Wake s -> words.put("peers", s.peers());
            case ClaimStep.Retire s -> words.put("claim", s.claimName());
            case ClaimStep.Keep s -> words.put("claim", s.claimName());
            case LifecycleStep.LieDown s -> {
                words.put("task", task(s.task()));
                words.put("stopping", s.stopping());
                words.put("leaving", s.leaving());
                if (!s.hurried().isEmpty()) {
                    words.put("hurried", s.hurried());
                }
            }
            case RecoveryStep.NoteLoss s -> words.put("task", task(s.task()));
            case RecoveryStep.SaveRemains s -> {
                words.put("task", task(s.task()));
                words.put("backup", s.backup());
            }
            case RecoveryStep.Recover s -> {
                words.put("task", task(s.task()));
                words.put("restore", s.restore());
                words.put("lost", s.lost());
                words.put("from", s.source().key());
                if (!s.blanks().withoutData().isEmpty()) {
                    words.put("withoutData", s.blanks().withoutData());
                    words.put("foundEmpty", s.blanks().foundEmpty());
                }
                if (!s.votes().learners().isEmpty()) {
                    words.put("voters", s.votes().voters());
                    words.put("learners", s.votes().learners());
                }
            }
            case RecoveryStep.CallOff s -> {
                words.put("restore", s.restore());
                if (!s.promoted().isEmpty()) {
                    words.put("promoted", s.promoted());
                }
            }
            case RecoveryStep.ConfirmLoss s -> words.put("restore", s.restore());
            case RecoveryStep.DropChoice s -> {}
            case ClaimStep.Discard s -> words.put("claim", s.claimName());
            case ServiceStep.Tend s -> {
                words.put("names", s.names());
                if (!s.surplus().isEmpty()) {
                    words.put("surplus", s.surplus());
                }
            }
            case Outcome.Finish s ->
                words.put("operation", Conditions.word(s.operation().type()));
            case Outcome.Stuck s -> words.put("problem", s.problem().kind());
            case Outcome.Wait s -> {}
            case Outcome.Steady s -> {}
        }
        return words;
    }

    private static String task(Task task) {
        return Conditions.word(task.type()) + " " + task.target();
    }
}
