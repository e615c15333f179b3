package etcdoperator.cluster.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.cluster.Planner;
import etcdoperator.cluster.effect.Effect;
import etcdoperator.cluster.effect.Effects;
import etcdoperator.cluster.services.Support;
import etcdoperator.cluster.status.Conditions;
import etcdoperator.cluster.status.Notices;
import etcdoperator.cluster.status.PeerReport;
import etcdoperator.cluster.status.Report;
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
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What comes of a scenario's view, in the words that its expectations use. */
final class ScenarioOutcome {
    private final ScenarioView given;
    private final ClusterView view;
    private final ClusterObjects objects;
    private final Step step;
    private final List<Effect> effects;
    private final EtcdClusterStatus after;

    ScenarioOutcome(ScenarioView given) {
        this.given = given;
        this.view = given.view();
        this.objects = ScenarioObjects.of(given);
        this.step = Planner.next(view);
        this.effects = Effects.of(step, objects, view);
        this.after = Report.of(asRecorded(), view, step);
    }

    JsonNode step() {
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
                                peer.version().equals(view.wish().version())
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
                if (!s.version().equals(view.wish().version())) {
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
            case MaintenanceStep.KeepOut s -> words.put("pods", String.join(", ", s.pods()));
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
                if (!s.blanks().foundCorrupt().isEmpty()) {
                    words.put("foundCorrupt", s.blanks().foundCorrupt());
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
                if (!s.readable().isEmpty()) {
                    words.put("readable", s.readable());
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
        return tree(words);
    }

    private static String task(Task task) {
        return Conditions.word(task.type()) + " " + task.target();
    }

    JsonNode status() {
        ObjectNode status = (ObjectNode) tree(after);
        status.remove("conditions");
        ObjectNode since = status.putObject("since");
        for (Condition condition : after.conditions()) {
            status.put(
                    condition.getType(),
                    condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage());
            since.put(condition.getType(), condition.getLastTransitionTime());
        }
        ObjectNode members = status.putObject("members");
        after.members()
                .forEach(member -> members.set(Objects.requireNonNullElse(member.name(), member.id()), tree(member)));
        ObjectNode peers = status.putObject("peers");
        view.ownPeers().forEach(peer -> {
            var before = given.before().peers().get(peer.name().toString());
            peers.set(peer.name().toString(), tree(PeerReport.of(peer, before, view)));
        });
        return status;
    }

    JsonNode effects() {
        return tree(effects.stream().map(ScenarioOutcome::line).toList());
    }

    /** In the order in which a pass tells them. */
    JsonNode notices() {
        List<Notice> notices = new ArrayList<>();
        for (Effect effect : effects) {
            if (effect instanceof Effect.RecordOperation(var operation) && operation.followsAWish()) {
                notices.addAll(Notices.cautions(view.wish()));
            }
            Notices.of(effect).ifPresent(notices::add);
        }
        notices.addAll(Notices.of(step));
        notices.addAll(Notices.of(given.before().cluster().conditions(), after.conditions()));
        notices.addAll(Notices.ofVersions(given.before().cluster().members(), after.members()));
        return ScenarioCheck.notices(notices.stream());
    }

    /** Report comes after the effects, of which the first may have recorded an operation. */
    private EtcdCluster asRecorded() {
        EtcdCluster cluster = objects.cluster();
        for (Effect effect : effects) {
            if (effect instanceof Effect.RecordOperation(Operation operation)) {
                cluster.setStatus(given.before().cluster().withOperation(operation.toStatus()));
            }
        }
        return cluster;
    }

    private static String line(Effect effect) {
        return switch (effect) {
            case Effect.RecordOperation(Operation operation) -> "RecordOperation " + Conditions.word(operation.type());
            case Effect.Create(HasMetadata object) -> "Create " + described(object);
            case Effect.Apply(HasMetadata object) -> "Apply " + described(object);
            case Effect.ReplacePeer(var peer) -> "Replace " + described(peer);
            case Effect.Annotate(HasMetadata object, Map<String, String> annotations) ->
                "Annotate " + Support.nameOf(object) + promotion(annotations);
            case Effect.Delete(HasMetadata object) -> "Delete " + Support.nameOf(object);
            case Effect.RequireLossAsSeen required -> "RequireLossAsSeen";
            case Effect.ConfirmMembers confirmed -> "ConfirmMembers";
            case Effect.ChangeMembers(var planned, var change) -> "ChangeMembers " + change;
            case Effect.Announce(String reason, String message) -> "Announce " + reason;
            case Effect.TellEtcd(var order) -> "TellEtcd " + order;
            case Effect.Issue(var issuance) -> "Issue " + ScenarioTls.described(issuance);
            case Effect.MakePassword(String secret, String user) -> "MakePassword " + secret + " for " + user;
            case Effect.ForgetPassword(String secret, String user) -> "ForgetPassword " + secret;
            case Effect.Begin(var chore) -> "Begin " + chore;
            case Effect.Label(HasMetadata object, Map<String, String> labels) ->
                "Label " + Support.nameOf(object) + " " + labels.values();
            case Effect.Mark(var claim, var mark) ->
                "Mark %s without %s with %s"
                        .formatted(
                                Support.nameOf(claim),
                                mark.without(),
                                mark.annotations().keySet());
            case Effect.Resize(var claim, var storage) -> "Resize " + Support.nameOf(claim) + " to " + storage;
        };
    }

    private static String promotion(Map<String, String> annotations) {
        return annotations.containsKey(Labels.PROMOTION) ? " promotion " + annotations.get(Labels.PROMOTION) : "";
    }

    /** A peer's right to found a cluster is what these tests are most about. */
    private static String described(HasMetadata object) {
        return object instanceof etcdoperator.api.EtcdPeer peer
                ? Support.nameOf(peer) + " "
                        + Serialization.jsonMapper()
                                .convertValue(peer.getSpec().bootstrap().initialClusterState(), String.class)
                        + ScenarioTls.described(peer.getSpec())
                : Support.nameOf(object);
    }

    private static JsonNode tree(Object value) {
        return Serialization.jsonMapper().valueToTree(value);
    }
}
