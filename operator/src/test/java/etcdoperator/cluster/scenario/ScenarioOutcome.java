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
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.kube.Notice;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
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
        return tree(ScenarioStep.words(step, view.wish().version()));
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
