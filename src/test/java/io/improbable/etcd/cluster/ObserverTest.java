package io.improbable.etcd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.RecoverySpec;
import io.improbable.etcd.cluster.ClaimView.Contents;
import io.improbable.etcd.cluster.Membership.Unreachable;
import io.improbable.etcd.cluster.Problem.Kind;
import io.improbable.etcd.domain.ClusterId;
import io.improbable.etcd.domain.MemberId;
import io.improbable.etcd.domain.PeerName;
import io.improbable.etcd.etcd.Answer;
import io.improbable.etcd.etcd.Answer.Spoke;
import io.improbable.etcd.etcd.EtcdClient.ListedMember;
import io.improbable.etcd.etcd.TypicalStatus;
import io.improbable.etcd.kube.ClusterObjects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is seen in objects that are not as one would wish; the scenarios have the rest. */
class ObserverTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final String PREFIX = "etcd.improbable.io/";

    private ClusterObjects objects = settled();
    private Map<PeerName, Answer> answers = Map.of();

    @Test
    void nothingHasDriftedInWhatWasJustMade() {
        assertThat(view().drift()).isEmpty();
    }

    @Test
    void aServiceThatIsGoneOrEditedHasDrifted() {
        objects.support().removeIf(object -> object.getMetadata().getName().equals("c-client"));
        objects.support().stream()
                .filter(Service.class::isInstance)
                .map(Service.class::cast)
                .forEach(service -> service.getSpec().setPublishNotReadyAddresses(false));
        assertThat(view().drift()).containsExactly("Service c", "Service c-client");
    }

    @Test
    void aPeerEditedByHandHasDrifted() {
        var peer = objects.peers().getFirst();
        peer.getMetadata().getLabels().put(PREFIX + "cluster-name", "other");
        assertThat(view().drift()).containsExactly("EtcdPeer c-0");
    }

    @Test
    void peersOfAnEarlierClusterAreLeftAsTheyAre() {
        var peer = objects.peers().getFirst();
        peer.getMetadata().getLabels().put(PREFIX + "cluster-name", "other");
        peer.getMetadata().getOwnerReferences().getFirst().setUid("u0");
        assertThat(view().drift()).isEmpty();
    }

    @Test
    void aPodWhoseReplicaSetOutlivedItsPeerIsNobodysPod() {
        objects.replicaSets()
                .getFirst()
                .getMetadata()
                .getOwnerReferences()
                .getFirst()
                .setUid("peer-of-old");
        assertThat(view().pods().getFirst().ofLivingPeer()).isFalse();
    }

    @Test
    void anOwnerThatDoesNotControlIsNone() {
        objects.peers().getFirst().getMetadata().getOwnerReferences().getFirst().setController(false);
        assertThat(view().peers().getFirst().owner()).isEqualTo(PeerView.Owner.NOBODY);
    }

    @Test
    void whoseNameFitsNoPeerIsSomebodyElses() {
        objects.pods().add(copy(objects.pods().getFirst(), Pod.class, "debug"));
        objects.claims().add(copy(objects.claims().getFirst(), PersistentVolumeClaim.class, "backup"));
        assertThat(view().pods()).hasSize(1);
        assertThat(view().claims()).hasSize(1);
    }

    @Test
    void aClaimOfAnotherClustersPeerIsSomebodyElses() {
        PersistentVolumeClaim other = copy(objects.claims().getFirst(), PersistentVolumeClaim.class, "x-0");
        other.getMetadata().getLabels().put(PREFIX + "peer-name", "x-0");
        objects.claims().add(other);
        assertThat(view().claims()).extracting(ClaimView::name).containsExactly("c-0");
    }

    @Test
    void withoutLabelAClaimBelongsToThePeerOfItsName() {
        objects.claims().getFirst().getMetadata().getLabels().remove(PREFIX + "peer-name");
        assertThat(view().claims()).extracting(ClaimView::peer).containsExactly(PeerName.parse("c-0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{etcd.improbable.io/bootstrap-token: u1}",
                "{etcd.improbable.io/bootstrap-size: '3'}",
                "{etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: many}",
                "{etcd.improbable.io/cluster-id: nonsense, etcd.improbable.io/member-id: a0}",
                "{etcd.improbable.io/cluster-id: c1, etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: '3'}",
                "{etcd.improbable.io/member-id: a0, etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: '3'}"
            })
    void annotationsThatSayHalfSayNothing(String annotations) {
        annotate(annotations);
        assertThat(view().claims()).extracting(ClaimView::contents).containsExactly(new Contents.Unknown());
    }

    /** A claim that once held data keeps the marks of its bootstrap, which must not count any more. */
    @Test
    void whoRanOnAClaimCountsForMoreThanWhatItWasMadeFor() {
        annotate(
                "{etcd.improbable.io/cluster-id: c1, etcd.improbable.io/member-id: a0, etcd.improbable.io/bootstrap-token: u1, etcd.improbable.io/bootstrap-size: '3'}");
        assertThat(view().claims())
                .extracting(ClaimView::contents)
                .containsExactly(new Contents.Held(new ClusterId(0xc1), new MemberId(0xa0)));
    }

    @Test
    void aRetiredClaimTellsWhoLeaves() {
        annotate(
                "{etcd.improbable.io/cluster-id: c1, etcd.improbable.io/member-id: a0, etcd.improbable.io/retired: a0}");
        assertThat(view().claims().getFirst().retiredFrom()).contains(new MemberId(0xa0));
    }

    /** A claim is deleted only when it is known whose it was. */
    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "yes", "\"true\""})
    void aWordThatIsNoMemberRetiresNothing(String word) {
        annotate("{etcd.improbable.io/retired: %s}".formatted(word));
        assertThat(view().claims().getFirst().retired()).isFalse();
    }

    @Test
    void aClaimForALearnerIsOneUntilSomebodyWasSeenOnIt() {
        annotate("{etcd.improbable.io/joining: \"true\"}");
        assertThat(view().claims().getFirst().contents()).isEqualTo(new Contents.Joining());
        annotate(
                "{etcd.improbable.io/joining: \"true\", etcd.improbable.io/cluster-id: c1, etcd.improbable.io/member-id: b0}");
        assertThat(view().claims().getFirst().heldData()).isTrue();
    }

    @Test
    void howOldAClaimIsIsSeen() {
        objects.claims().getFirst().getMetadata().setCreationTimestamp("2026-01-01T11:00:00Z");
        assertThat(view().claims().getFirst().createdAt()).isEqualTo("2026-01-01T11:00:00Z");
        objects.claims().getFirst().getMetadata().setCreationTimestamp(null);
        assertThat(view().claims().getFirst().createdAt()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void nodesThatAreNotUpAreDownAndOthersAreNoneOfOurBusiness() {
        objects = ScenarioObjects.of(
                read(
                        "{like: settled, peers: {c-0: {node: node-7}, c-1: {unwell: PT5M}}, nodesDown: [node-2, node-7, node-9]}"));
        assertThat(view().nodesDown()).containsExactlyInAnyOrder("node-2", "node-7");
        assertThat(view().peers().get(1).unwellSince()).contains(NOW.minusSeconds(300));
        assertThat(view().peers().getFirst().unwellSince()).isEmpty();
    }

    @Test
    void whatAPeerDoesOnAnEmptyVolumeIsSeenInItsSpecAndInItsTemplate() {
        objects = ScenarioObjects.of(
                read(
                        "{like: settled, peers: {c-0: {state: joiner, template: sealed}, c-1: {state: sealed, template: joiner, stopped: true}, c-2: founder}}"));
        assertThat(view().peers())
                .extracting(PeerView::start)
                .containsExactly(Start.JOINS, Start.ON_DATA, Start.FOUNDS);
        assertThat(view().peers())
                .extracting(PeerView::templateStart)
                .containsExactly(Start.ON_DATA, Start.JOINS, Start.FOUNDS);
        assertThat(view().peers()).extracting(PeerView::stopped).containsExactly(false, true, false);
        assertThat(view().peers().getFirst().startsWith()).hasSize(3);
    }

    @Test
    void howLongAMemberMayBeAwayIsTheUsersToSay() {
        objects.cluster().setSpec(objects.cluster().getSpec().withRecovery(RecoverySpec.ofMemberTimeout("1m30s")));
        assertThat(view().wish().memberTimeout()).hasSeconds(90);
        objects.cluster().setSpec(objects.cluster().getSpec().withRecovery(null));
        assertThat(view().wish().memberTimeout()).hasMinutes(5);
    }

    @Test
    void complaintsAboutAClaimAreSeen() {
        objects.claims().getFirst().setStatus(null);
        objects.claimWarnings().add(Serialization.unmarshal("""
                apiVersion: v1
                kind: Event
                metadata: {name: e, resourceVersion: "9"}
                involvedObject: {uid: claim-c-0}
                message: no such class
                """, Event.class));
        assertThat(view().claims().getFirst().problem())
                .contains(new Problem(Kind.VolumeUnavailable, "Claim c-0 gets no volume: no such class"));
    }

    @Test
    void whyAReplicaSetHasNoPodIsSeen() {
        objects.replicaSets()
                .getFirst()
                .setStatus(Serialization.unmarshal("""
                conditions: [{type: ReplicaFailure, status: "True", message: exceeded quota}]
                """, io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus.class));
        assertThat(view().peers().getFirst().problem())
                .contains(new Problem(Kind.PodRefused, "The pod of c-0 is refused: exceeded quota"));
    }

    @Test
    void whatIsWrongWithAPodIsSeen() {
        objects.pods().getFirst().getStatus().getConditions().getFirst().setType("PodScheduled");
        objects.pods().getFirst().getStatus().getConditions().getFirst().setReason("Unschedulable");
        assertThat(view().pods().getFirst().problem().map(Problem::kind)).contains(Kind.PodUnschedulable);
    }

    /** Status is lost with the EtcdCluster; what the claims remember keeps strangers out all the same. */
    @Test
    void claimsKnowTheClusterWhenStatusDoesNot() {
        objects.cluster().setStatus(null);
        answers = Map.of(PeerName.parse("c-0"), answerFrom(0xc2));
        assertThat(view().membership()).isEqualTo(new Unreachable("c-0 answers for another etcd cluster, c2"));
        answers = Map.of(PeerName.parse("c-0"), answerFrom(0xc1));
        assertThat(view().membership()).isInstanceOf(Membership.Reachable.class);
    }

    /** An operator that has just started has asked nobody; that must not look like members that are silent. */
    @Test
    void whosePodHasAnAddressAndWasNotAskedIsUnknown() {
        objects = ScenarioObjects.of(read("like: settled\ncluster: {replicas: 2}\nunreachable: nobody"));
        ListedMember first =
                new ListedMember(new MemberId(0xa0), "c-0", List.of("http://c-0.c.ns.svc:2380"), List.of(), false);
        ListedMember second =
                new ListedMember(new MemberId(0xa1), "c-1", List.of("http://c-1.c.ns.svc:2380"), List.of(), false);
        var status = TypicalStatus.of(
                new ClusterId(0xc1), new MemberId(0xa0), "3.6.16", 1, new MemberId(0xa0), false, 1, 1, List.of());
        answers = Map.of(PeerName.parse("c-0"), new Spoke(NOW, status, List.of(first, second), Optional.empty()));
        assertThat(view().reachable().orElseThrow().everyoneWasAsked()).isFalse();
        objects.pods().forEach(pod -> pod.getStatus().setPodIP(null));
        assertThat(view().reachable().orElseThrow().everyoneWasAsked()).isTrue();
    }

    @Test
    void objectsAreInTheOrderOfTheirNames() {
        objects = ScenarioObjects.of(read("like: settled\ncluster: {replicas: 11}"));
        assertThat(view().peers())
                .extracting(peer -> peer.name().ordinal())
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(view().claims()).extracting(ClaimView::name).isSorted();
        assertThat(view().pods()).extracting(PodView::name).isSorted();
    }

    private ClusterView view() {
        return new Observer(objects, "cluster.local").view(answers, Chores.none(NOW), NOW);
    }

    private void annotate(String annotations) {
        @SuppressWarnings("unchecked")
        Map<String, String> map = Serialization.unmarshal("---\n" + annotations, Map.class);
        objects.claims().getFirst().getMetadata().setAnnotations(map);
    }

    private static Answer answerFrom(long cluster) {
        var listed = new ListedMember(new MemberId(0xa0), "c-0", List.of("http://c-0.c.ns.svc:2380"), List.of(), false);
        var status = TypicalStatus.of(
                new ClusterId(cluster), new MemberId(0xa0), "3.6.16", 1, new MemberId(0xa0), false, 1, 1, List.of());
        return new Spoke(NOW, status, List.of(listed), Optional.empty());
    }

    /** With lists that a test can change. */
    private static ClusterObjects settled() {
        ClusterObjects made = ScenarioObjects.of(read("like: settled\ncluster: {replicas: 1}\nunreachable: nobody"));
        return new ClusterObjects(
                made.cluster(),
                new ArrayList<>(made.peers()),
                new ArrayList<>(made.claims()),
                new ArrayList<>(made.replicaSets()),
                new ArrayList<>(made.pods()),
                new ArrayList<>(made.support()),
                List.of(),
                new ArrayList<>(),
                made.nodesUp(),
                made.nodeAddresses());
    }

    private static <T extends io.fabric8.kubernetes.api.model.HasMetadata> T copy(
            T object, Class<T> type, String name) {
        T copy = type.cast(Serialization.clone(object));
        copy.getMetadata().setName(name);
        copy.getMetadata().getLabels().remove(PREFIX + "peer-name");
        return copy;
    }

    private static ScenarioView read(String view) {
        return ScenarioView.read(Serialization.unmarshal("---\n" + view, JsonNode.class));
    }
}
