package io.improbable.etcd.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.improbable.etcd.api.EtcdPeer;
import io.improbable.etcd.api.EtcdPeerStatus;
import io.improbable.etcd.api.PeerBootstrap.InitialMember;
import io.improbable.etcd.cluster.Effect.Annotate;
import io.improbable.etcd.cluster.Effect.Create;
import io.improbable.etcd.cluster.Effect.ReplacePeer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the lines of the scenarios' effects stand for. */
class EffectsTest {
    @Test
    void foundersKnowEachOtherAndTheirClaimsKnowTheBootstrap() {
        List<Effect> effects = effects("cluster: {replicas: 2}");
        assertThat(created(effects, PersistentVolumeClaim.class))
                .allSatisfy(claim -> assertThat(claim.getMetadata().getAnnotations())
                        .containsEntry("etcd.improbable.io/bootstrap-token", "u1")
                        .containsEntry("etcd.improbable.io/bootstrap-size", "2"))
                .hasSize(2);
        assertThat(created(effects, EtcdPeer.class))
                .allSatisfy(peer -> {
                    assertThat(peer.getSpec().bootstrap().token()).isEqualTo("u1");
                    assertThat(peer.getSpec().bootstrap().staticBootstrap().initialCluster())
                            .extracting(InitialMember::host)
                            .containsExactly("c-0.c.ns.svc", "c-1.c.ns.svc");
                })
                .hasSize(2);
    }

    @Test
    void aBootstrapThatGoesOnKeepsItsToken() {
        List<Effect> effects =
                effects("{cluster: {replicas: 1, uid: u2}, claims: {c-0: {contents: bootstrapping, size: 1}}}");
        assertThat(created(effects, EtcdPeer.class))
                .singleElement()
                .satisfies(
                        peer -> assertThat(peer.getSpec().bootstrap().token()).isEqualTo("u1"));
    }

    @Test
    void aResumedPeerRunsOnItsClaimAndKnowsItselfAlone() {
        List<Effect> effects = effects("{cluster: {replicas: 1}, claims: {c-0-x7: {peer: c-0}}}");
        assertThat(created(effects, EtcdPeer.class)).singleElement().satisfies(peer -> {
            assertThat(peer.getSpec().claimName()).isEqualTo("c-0-x7");
            assertThat(peer.getSpec().bootstrap().staticBootstrap().initialCluster())
                    .containsExactly(new InitialMember("c-0", "c-0.c.ns.svc"));
            assertThat(peer.getSpec().bootstrap().token()).isNull();
        });
    }

    @Test
    void sealingWritesDownWhoRanAndLeavesTheRestOfThePeerAlone() {
        var scenario = read("{like: founding, cluster: {replicas: 1}, members: {c-0: leader}}");
        var objects = ScenarioObjects.of(scenario);
        EtcdPeer before = objects.peers().getFirst();
        before.setStatus(new EtcdPeerStatus(null, "a0", null, null, null));
        List<Effect> effects = Effects.of(Planner.next(scenario.view()), objects, scenario.view());
        assertThat(effects).hasSize(3);
        assertThat(effects.get(0)).isInstanceOfSatisfying(Annotate.class, claim -> {
            assertThat(claim.object()).isInstanceOf(PersistentVolumeClaim.class);
            assertThat(claim.annotations())
                    .containsOnly(
                            Map.entry("etcd.improbable.io/cluster-id", "c1"),
                            Map.entry("etcd.improbable.io/member-id", "a0"));
        });
        assertThat(effects.get(1)).isInstanceOfSatisfying(ReplacePeer.class, replaced -> {
            EtcdPeer peer = replaced.peer();
            assertThat(peer.getMetadata()).isEqualTo(before.getMetadata());
            assertThat(peer.getStatus()).isEqualTo(before.getStatus());
            assertThat(peer.getSpec().withBootstrap(before.getSpec().bootstrap()))
                    .isEqualTo(before.getSpec());
        });
        assertThat(effects.get(2)).isInstanceOfSatisfying(Annotate.class, pod -> {
            assertThat(pod.object()).isInstanceOf(Pod.class);
            assertThat(pod.annotations())
                    .containsEntry("etcd.improbable.io/initial-cluster-state", "existing")
                    .containsEntry("etcd.improbable.io/initial-cluster", "c-0=http://c-0.c.ns.svc:2380");
        });
    }

    @Test
    void anAdoptedPeerGetsItsOwnerAndKeepsLabelsOfOthers() {
        var scenario = read("{like: settled, cluster: {replicas: 1}, peers: {c-0: {owner: nobody}}}");
        var objects = ScenarioObjects.of(scenario);
        objects.peers().getFirst().getMetadata().getLabels().put("team", "storage");
        List<Effect> effects = Effects.of(Planner.next(scenario.view()), objects, scenario.view());
        assertThat(effects).last().isInstanceOfSatisfying(ReplacePeer.class, adopted -> {
            assertThat(adopted.peer().getMetadata().getLabels()).containsEntry("team", "storage");
            assertThat(adopted.peer().getMetadata().getOwnerReferences())
                    .singleElement()
                    .satisfies(owner -> assertThat(owner.getUid()).isEqualTo("u1"));
            assertThat(adopted.peer().getMetadata().getUid()).isEqualTo("peer-c-0");
        });
    }

    private static <T> List<T> created(List<Effect> effects, Class<T> type) {
        return effects.stream()
                .filter(Create.class::isInstance)
                .map(effect -> ((Create) effect).object())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private static List<Effect> effects(String view) {
        return effects(read(view));
    }

    private static List<Effect> effects(ScenarioView scenario) {
        return Effects.of(Planner.next(scenario.view()), ScenarioObjects.of(scenario), scenario.view());
    }

    private static ScenarioView read(String view) {
        return ScenarioView.read(
                Serialization.unmarshal("---\n" + view, com.fasterxml.jackson.databind.JsonNode.class));
    }
}
