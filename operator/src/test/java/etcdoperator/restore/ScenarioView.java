package etcdoperator.restore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import etcdoperator.agentreport.ReportText;
import etcdoperator.api.EtcdClusterSpec;
import etcdoperator.api.EtcdRestoreSpec;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.backup.EtcdBackupSpec;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.cluster.scenario.ScenarioFolder;
import etcdoperator.cluster.scenario.Words;
import etcdoperator.domain.AllowedEndpoints;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.RestoredIds;
import etcdoperator.restore.RestoreView.BackupView;
import etcdoperator.restore.RestoreView.Blank;
import etcdoperator.restore.RestoreView.ClusterState;
import etcdoperator.restore.RestoreView.Learner;
import etcdoperator.restore.RestoreView.OwnClaim;
import etcdoperator.restore.RestoreView.Survivor;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads {@code view.yaml}: EtcdRestore back with uid r1, which gives EtcdCluster c its data on claim c-0. */
final class ScenarioView {
    private static final RestoredIds IDS = RestoredIds.of("http://c-0.c.ns.svc:2380", "r1");
    private static final Set<String> KEYS = Set.of(
            "source",
            "version",
            "tls",
            "endpoints",
            "status",
            "deleted",
            "held",
            "unconfirmed",
            "rival",
            "backups",
            "cluster",
            "claim",
            "claims",
            "survivors",
            "learners",
            "voters",
            "votersFound",
            "blanks",
            "occupant",
            "inspection",
            "filling",
            "reads",
            "reading",
            "straggler");

    private final JsonNode yaml;
    private final Words words;
    private final boolean inPlace;

    ScenarioView(ScenarioFolder folder) {
        folder.requireOnly(KEYS);
        yaml = folder.view();
        words = new Words(yaml);
        inPlace = !yaml.has("version");
    }

    RestoreView view() {
        return new RestoreView(
                "back",
                "r1",
                spec(),
                status(),
                words.is("deleted"),
                words.is("held"),
                words.is("unconfirmed"),
                words.text("rival"),
                yaml.path("backups").properties().stream()
                        .map(backup -> backup(backup.getKey(), Words.of(backup.getValue(), "phase")))
                        .toList(),
                cluster(),
                claim(),
                claims("there", "leaving"),
                claims("leaving"),
                claims("aside"),
                claims("aside").isEmpty() ? Optional.empty() : Optional.of(new ClusterId(0xc1)),
                yaml.path("survivors").properties().stream()
                        .map(survivor -> survivor(survivor.getKey(), Words.of(survivor.getValue(), "survey")))
                        .toList(),
                yaml.path("learners").properties().stream()
                        .map(learner -> new Learner(
                                learner.getKey(),
                                errand(Optional.of(learner.getValue().asText()))))
                        .toList(),
                words.texts("voters"),
                words.texts("votersFound"),
                yaml.path("blanks").properties().stream()
                        .map(blank -> blank(blank.getKey(), Words.of(blank.getValue(), "look")))
                        .toList(),
                words.text("occupant"),
                errand(words.text("inspection")),
                errand(words.text("filling")),
                words.texts("reads"),
                words.is("reading") || yaml.has("reads"),
                words.text("straggler"),
                words.text("tls").filter("by default"::equals).isPresent(),
                AllowedEndpoints.parse(words.text("endpoints").orElse(AllowedEndpoints.USUAL)));
    }

    /** Into the cluster that is there, unless {@code version} says which one is made: {@code none} leaves that open. */
    private EtcdRestoreSpec spec() {
        String made = words.text("version")
                .filter(version -> !version.equals("none"))
                .map(", version: "::concat)
                .orElse("");
        return yaml(
                "clusterTemplate: {clusterName: c%s}\ninPlace: %s\nsource: %s"
                        .formatted(
                                inPlace ? "" : ", spec: {replicas: 3, storage: {volumeClaimTemplate: {}}" + made + "}",
                                inPlace,
                                yaml.has("source")
                                        ? yaml.path("source")
                                        : "{bucket: {bucketURL: 's3://b', objectPath: x}}"),
                EtcdRestoreSpec.class);
    }

    /** The stage, or a map; all that was decided before is there once it has begun. */
    private EtcdRestoreStatus status() {
        JsonNode said = Words.of(yaml.path("status"), "stage").map();
        ObjectNode status =
                said.isObject() ? said.deepCopy() : Serialization.jsonMapper().createObjectNode();
        if (said.has("stage")) {
            status.put("claimName", "c-0").put("version", "3.6.16");
            status.withObject("/chosen").withObject("/location");
        }
        return Serialization.jsonMapper().convertValue(status, EtcdRestoreStatus.class);
    }

    /** {@code runs}, {@code told} to stop its members for this restore, or {@code stopped} for it; or a map. */
    private Optional<ClusterState> cluster() {
        if (!yaml.has("cluster")) {
            return Optional.empty();
        }
        Words said = Words.of(yaml.path("cluster"), "state");
        String state = said.text("state").orElse("runs");
        return Optional.of(new ClusterState(
                yaml(
                        "replicas: %s\nversion: 3.6.16\npaused: %s\ntls: %s\nstorage: {volumeClaimTemplate: {}}"
                                .formatted(
                                        said.text("replicas").orElse("3"),
                                        said.is("paused"),
                                        said.is("tls") ? "{peer: {secretName: p}}" : "null"),
                        EtcdClusterSpec.class),
                said.is("leaving"),
                said.is("another"),
                said.is("ours") ? Optional.of("r1") : Optional.empty(),
                said.text("toldFor").or(() -> state.equals("runs") ? Optional.empty() : Optional.of("r1")),
                state.equals("stopped") ? Optional.of("back") : Optional.empty(),
                Optional.of(said.is("remembers") ? IDS.clusterId().toString() : "c1"),
                said.is("available"),
                "0 of 1 members are healthy"));
    }

    /** {@code owned} by the restore, {@code disowned}, the cluster's ({@code handedOver}), or {@code used} by it once. */
    private Optional<OwnClaim> claim() {
        if (!yaml.has("claim")) {
            return Optional.empty();
        }
        Words said = Words.of(yaml.path("claim"), "state");
        String state = said.text("state").orElse("disowned");
        return Optional.of(new OwnClaim(
                "c-0",
                state.equals("owned"),
                state.equals("handedOver"),
                state.equals("handedOver") || state.equals("used"),
                said.is("deleting"),
                IDS));
    }

    private List<String> claims(String... states) {
        return yaml.path("claims").properties().stream()
                .filter(claim -> List.of(states).contains(claim.getValue().asText()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static Survivor survivor(String claim, Words said) {
        return new Survivor(claim, said.text("version").map(EtcdVersion::parse), errand(said.text("survey")));
    }

    private static Blank blank(String claim, Words said) {
        return new Blank(claim, errand(said.text("look")), said.is("old"));
    }

    private static BackupView backup(String name, Words said) {
        String status = said.map().properties().stream()
                .filter(field -> !field.getKey().equals("schedule"))
                .map(field -> field.getKey() + ": " + field.getValue())
                .collect(Collectors.joining("\n"));
        return new BackupView(
                name,
                said.text("schedule"),
                yaml(
                        "source: {cluster: c}\ndestination: {bucket: {bucketURL: 's3://b', objectPath: '{time}'}}",
                        EtcdBackupSpec.class),
                status.isEmpty() ? Optional.empty() : Optional.of(yaml(status, EtcdBackupStatus.class)));
    }

    /**
     * {@code none}, {@code sent}, {@code sent why}, {@code done}, {@code mute}, {@code failed why}, {@code spoilt why}
     * where it would fail again; of what is read with {@code done}: a version, or how far the log of c-2 goes as {@code 3/9},
     * and after another slash who votes by it, as {@code 3/9/a1+a2}.
     */
    private static Errand errand(Optional<String> said) {
        String[] parts = said.orElse("none").split(" ", 2);
        Optional<String> rest = parts.length > 1 ? Optional.of(parts[1]) : Optional.empty();
        return switch (parts[0]) {
            case "none" -> new Errand.NotSent();
            case "sent" -> new Errand.Sent(rest);
            case "done" -> new Errand.Done(ReportText.read(report(rest.orElse(""))));
            case "mute" -> new Errand.Done(Optional.empty());
            case "failed" -> new Errand.Failed(rest.orElseThrow(), false);
            case "spoilt" -> new Errand.Failed(rest.orElseThrow(), true);
            default -> throw new IllegalArgumentException("an agent cannot be " + said.orElseThrow());
        };
    }

    private static String report(String found) {
        String[] log = found.split("/");
        return log.length > 1
                ? "{\"state\": \"Completed\", \"source\": \"c-2\", \"revision\": 7, \"term\": %s, \"index\": %s%s}"
                        .formatted(log[0], log[1], log.length > 2 ? voters(log[2]) : "")
                : "{\"state\": \"Completed\", \"revision\": 7%s}"
                        .formatted(found.isEmpty() ? "" : ", \"etcdVersion\": \"" + found + "\"");
    }

    private static String voters(String ids) {
        return ", \"voters\": [\"%s\"]".formatted(ids.replace("+", "\", \""));
    }

    private static <T> T yaml(String text, Class<T> type) {
        return Serialization.unmarshal("---\n" + text, type);
    }
}
