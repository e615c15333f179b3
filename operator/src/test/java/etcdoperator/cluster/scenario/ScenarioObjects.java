package etcdoperator.cluster.scenario;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.cluster.services.Support;
import etcdoperator.cluster.view.ClaimView.Contents;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Scheme;
import etcdoperator.domain.Transport;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.ArgoCd;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.OperatorPods;
import etcdoperator.manifest.Peers;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Kubernetes objects that a view was seen in, as far as effects look at them. */
public final class ScenarioObjects {
    private static final String DELETED_AT = "2026-01-01T11:59:00Z";

    private final ScenarioView scenario;
    private final ClusterView view;
    private final EtcdCluster cluster;

    private ScenarioObjects(ScenarioView scenario) {
        this.scenario = scenario;
        this.view = scenario.view();
        this.cluster = ScenarioSpec.cluster(scenario.asked(), scenario.before().cluster());
    }

    public static ClusterObjects of(ScenarioView scenario) {
        return new ScenarioObjects(scenario).all(scenario.missing());
    }

    private ClusterObjects all(Set<String> missing) {
        return new ClusterObjects(
                cluster,
                view.peers().stream().map(this::peer).toList(),
                view.claims().stream().map(this::claim).toList(),
                view.peers().stream().map(this::replicaSet).toList(),
                view.pods().stream().map(this::pod).toList(),
                Stream.concat(
                                Support.desired(cluster, OperatorPods.USUAL, view.memory(), view.membership()).stream()
                                        .filter(object -> !missing.contains(Support.nameOf(object))),
                                surplus())
                        .toList(),
                List.of(),
                ScenarioBackups.objects(view),
                ScenarioRecoveries.objects(view),
                List.of(),
                nodesUp(),
                Set.of(),
                Map.of());
    }

    private Stream<HasMetadata> surplus() {
        JsonNode everything = Serialization.unmarshal(
                "services: {nodePort: {enabled: true}, loadBalancer: {enabled: true}}\nnetworkPolicy: {enabled: true}",
                JsonNode.class);
        EtcdCluster before =
                ScenarioSpec.cluster(new ScenarioView.Asked(view.wish(), scenario.settings(), everything), null);
        return Support.desired(before, OperatorPods.USUAL, view.memory(), view.membership()).stream()
                .filter(object -> view.surplus().contains(Support.nameOf(object)));
    }

    private Set<String> nodesUp() {
        return IntStream.rangeClosed(1, 20)
                .mapToObj(number -> "node-" + number)
                .filter(node -> !view.nodesDown().contains(node))
                .collect(toSet());
    }

    private PeerName slotOf(String claim) {
        return view.claim(claim).map(ClaimView::peer).orElseGet(() -> PeerName.parse(claim));
    }

    private EtcdPeer peer(PeerView peer) {
        SortedMap<String, PeerName> others = new TreeMap<>();
        peer.startsWith().forEach(claim -> others.put(claim, slotOf(claim)));
        var peers = new Peers(cluster, peer.setup().tls());
        EtcdPeer made = switch (peer.start()) {
            case FOUNDS ->
                peers.founder(
                        peer.name(),
                        List.copyOf(others.values()),
                        "u1",
                        view.wish().version());
            case JOINS ->
                peers.joining(
                        peer.name(),
                        peer.claimName(),
                        others,
                        Set.of(),
                        view.wish().version());
            case ON_DATA ->
                peers.existing(peer.name(), peer.claimName(), view.wish().version());
        };
        made.setSpec(made.getSpec().withStopped(peer.stopped()));
        settle(made, peer);
        made.setStatus(status(peer));
        made.getMetadata().setUid("peer-" + peer.name());
        made.getMetadata().setDeletionTimestamp(peer.deleting() ? DELETED_AT : null);
        made.getMetadata()
                .setOwnerReferences(
                        switch (peer.owner()) {
                            case THIS_CLUSTER -> made.getMetadata().getOwnerReferences();
                            case EARLIER_CLUSTER -> List.of(owner("EtcdCluster", "u0"));
                            case NOBODY -> List.of();
                        });
        return made;
    }

    /** With the settings that the folder gives it. */
    private void settle(EtcdPeer made, PeerView peer) {
        var asked = new EtcdCluster();
        asked.setMetadata(cluster.getMetadata());
        asked.setSpec(ScenarioSpec.of(3, peer.setup().version(), scenario.settingsOf(peer.name()), scenario.spec()));
        made.setSpec(made.getSpec()
                .withSettingsOf(
                        new Peers(asked, peer.setup().tls()).renewed(made).getSpec()));
    }

    private static @Nullable EtcdPeerStatus status(PeerView peer) {
        List<Condition> unwell = peer.unwellSince().stream()
                .map(since -> new ConditionBuilder()
                        .withType("Healthy")
                        .withStatus("False")
                        .withLastTransitionTime(since.toString())
                        .build())
                .toList();
        String lastRan = peer.setup().lastRan().map(EtcdVersion::toString).orElse(null);
        return peer.lastNode().isEmpty() && unwell.isEmpty() && lastRan == null
                ? null
                : new EtcdPeerStatus(lastRan, null, null, peer.lastNode().orElse(null), unwell);
    }

    private ReplicaSet replicaSet(PeerView peer) {
        return new ReplicaSetBuilder()
                .withNewMetadata()
                .withName(peer.name().toString())
                .withUid("set-" + peer.name())
                .withOwnerReferences(owner("EtcdPeer", "peer-" + peer.name()))
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewMetadata()
                .addToAnnotations(annotations(peer.templateStart(), peer.setup().templateSettings()))
                .endMetadata()
                .endTemplate()
                .endSpec()
                .build();
    }

    private PersistentVolumeClaim claim(ClaimView claim) {
        Map<String, String> contents = switch (claim.contents()) {
            case Contents.Bootstrapping(String token, int size) ->
                Map.of(Labels.BOOTSTRAP_TOKEN, token, Labels.BOOTSTRAP_SIZE, Integer.toString(size));
            case Contents.Held held -> Claims.heldBy(held.clusterId(), held.memberId());
            case Contents.Joining joining -> Map.of(Labels.JOINING, "true");
            case Contents.Unknown unknown -> Map.of();
        };
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(claim.name())
                .withUid("claim-" + claim.name())
                .withCreationTimestamp(claim.createdAt().toString())
                .withLabels(
                        claim.prunable()
                                ? Labels.ofPeer(view.wish().key(), claim.peer())
                                : Labels.ofClaim(view.wish().key(), claim.peer()))
                .withAnnotations(contents)
                .addToAnnotations(claim.prunable() ? Map.of() : ArgoCd.leftAlone())
                .addToAnnotations(claim.version().map(Claims::writtenBy).orElse(Map.of()))
                .addToAnnotations(claim.scheme() == Scheme.HTTP ? Map.of() : Claims.relisted(claim.scheme()))
                .addToAnnotations(claim.restored() ? Map.of(Labels.RESTORED_BY, "r1") : Map.of())
                .addToAnnotations(claim.promotion().map(Claims::promoted).orElse(Map.of()))
                .addToAnnotations(claim.retiredFrom().map(Claims::retired).orElse(Map.of()))
                .withDeletionTimestamp(claim.deleting() ? DELETED_AT : null)
                .endMetadata()
                .withNewSpec()
                .withNewResources()
                .addToRequests("storage", claim.small() ? new Quantity("1Mi") : Claims.storage(cluster))
                .endResources()
                .endSpec()
                .build();
    }

    private Pod pod(PodView pod) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(pod.name())
                .withUid("pod-" + pod.name())
                .withLabels(Labels.ofPeer(view.wish().key(), pod.peer()))
                .addToLabels(Labels.outOfService(!pod.serving()))
                .withAnnotations(annotations(pod.start(), pod.settings()))
                .addToAnnotations(annotations(pod.transport()))
                .withOwnerReferences(owner("ReplicaSet", pod.ofLivingPeer() ? "set-" + pod.peer() : "set-of-nobody"))
                .withDeletionTimestamp(pod.deleting() ? DELETED_AT : null)
                .withDeletionGracePeriodSeconds(
                        pod.lingers() ? Long.valueOf(30) : pod.deleting() ? Long.valueOf(1) : null)
                .endMetadata()
                .withNewSpec()
                .withNodeName(pod.node().orElse(null))
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim(pod.claimName(), false)
                .endVolume()
                .endSpec()
                .withNewStatus()
                .withPodIP(pod.address().orElse(null))
                .addNewCondition()
                .withType("Ready")
                .withStatus(pod.ready() ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
    }

    private static Map<String, String> annotations(Start start, String settings) {
        return Map.of(
                Labels.INITIAL_CLUSTER_STATE,
                start == Start.FOUNDS ? "new" : "existing",
                Labels.INITIAL_CLUSTER,
                start == Start.JOINS ? "c-0=http://c-0,c-1=http://c-1" : "c-0=http://c-0",
                Labels.SETTINGS,
                settings);
    }

    private static Map<String, String> annotations(Transport transport) {
        return transport.equals(Transport.PLAIN)
                ? Map.of()
                : Map.of(
                        Labels.CLIENT_TLS,
                        transport.client().name(),
                        Labels.PEER_TLS,
                        transport.peer().name());
    }

    private static OwnerReference owner(String kind, String uid) {
        return new OwnerReferenceBuilder()
                .withKind(kind)
                .withUid(uid)
                .withController(true)
                .build();
    }
}
