package etcdoperator.cluster.observe;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.RecoverySpec;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.view.ClaimView;
import etcdoperator.cluster.view.Membership;
import etcdoperator.cluster.view.Membership.Unreachable;
import etcdoperator.cluster.view.PeerView;
import etcdoperator.cluster.view.PodView;
import etcdoperator.cluster.view.Problem;
import etcdoperator.cluster.view.Problem.Kind;
import etcdoperator.cluster.view.Start;
import etcdoperator.domain.ClusterId;
import etcdoperator.domain.MemberId;
import etcdoperator.domain.PeerName;
import etcdoperator.domain.Transport;
import etcdoperator.etcd.Answer;
import etcdoperator.etcd.Answer.Spoke;
import etcdoperator.etcd.EtcdClient.ListedMember;
import etcdoperator.etcd.TypicalStatus;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatusBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is seen in objects that are not as one would wish; the scenarios have the rest. */
class ObserverTest extends ObservedObjects {
    @Test
    void nothingHasDriftedInWhatWasJustMade() {
        assertThat(view().drift()).isEmpty();
    }

    /** An exception would end every pass, and with it all care for the cluster. */
    @Test
    void whatNobodyKnowsOnAPodIsReadAsItsPeerHasIt() {
        objects.pods().getFirst().getMetadata().setAnnotations(Map.of(PREFIX + "peer-tls", "QUANTUM"));
        assertThat(view().pods().getFirst().transport()).isEqualTo(Transport.PLAIN);
    }

    /** As a sidecar's volume that an admission webhook has put before ours. */
    @Test
    void aClaimThatSomethingElseMountsIsNotTheMembers() {
        Pod pod = objects.pods().getFirst();
        List<Volume> volumes = new ArrayList<>(pod.getSpec().getVolumes());
        volumes.addFirst(new VolumeBuilder()
                .withName("a-sidecar")
                .withNewPersistentVolumeClaim("other", false)
                .build());
        pod.getSpec().setVolumes(volumes);
        assertThat(view().pods().getFirst().claimName()).isEqualTo("c-0");
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

    /** Else its pod is restarted from the old template, and once more from the new one. */
    @Test
    void aTemplateThatItsControllerHasNotSeenYetIsNotThereYet() {
        var set = objects.replicaSets().getFirst();
        set.getMetadata().setGeneration(2L);
        set.setStatus(new ReplicaSetStatusBuilder().withObservedGeneration(2L).build());
        assertThat(view().peers().getFirst().setup().templateSettings()).isNotEmpty();
        set.getStatus().setObservedGeneration(1L);
        assertThat(view().peers().getFirst().setup().templateSettings()).isEmpty();
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

    private static Answer answerFrom(long cluster) {
        var listed = new ListedMember(new MemberId(0xa0), "c-0", List.of("http://c-0.c.ns.svc:2380"), List.of(), false);
        var status = TypicalStatus.of(
                new ClusterId(cluster), new MemberId(0xa0), "3.6.16", 1, new MemberId(0xa0), false, 1, 1, List.of());
        return new Spoke(NOW, status, List.of(listed), Optional.empty());
    }
}
