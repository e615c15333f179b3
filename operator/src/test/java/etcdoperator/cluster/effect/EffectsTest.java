package etcdoperator.cluster.effect;

import static org.assertj.core.api.Assertions.assertThat;

import etcdoperator.api.EtcdPeer;
import etcdoperator.api.EtcdPeerStatus;
import etcdoperator.api.PeerBootstrap.InitialClusterState;
import etcdoperator.api.PeerBootstrap.InitialMember;
import etcdoperator.cluster.Planner;
import etcdoperator.cluster.effect.Effect.Annotate;
import etcdoperator.cluster.effect.Effect.ChangeMembers;
import etcdoperator.cluster.effect.Effect.ConfirmMembers;
import etcdoperator.cluster.effect.Effect.Create;
import etcdoperator.cluster.effect.Effect.Delete;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.scenario.ScenarioObjects;
import etcdoperator.cluster.scenario.ScenarioView;
import etcdoperator.domain.MemberId;
import etcdoperator.etcd.MemberList;
import etcdoperator.etcd.MembershipChange;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
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
                    .containsExactly(new InitialMember("c-0", "c-0-x7.c.ns.svc", null));
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

    /** Between any two the operator may die: data that may go is marked before its member goes. */
    @Test
    void aClaimIsRetiredBeforeItsMemberIsRemovedAndThePeerGoesLast() {
        List<Effect> effects = effects(
                "{like: settled, claims: {c-3: held}, peers: {c-3: sealed}, pods: {c-3: sealed}, members: {c-3: voter}}");
        assertThat(effects)
                .extracting(effect -> (Object) effect.getClass().getSimpleName())
                .containsExactly("ConfirmMembers", "RecordOperation", "Annotate", "ChangeMembers", "Delete");
        assertThat(effects.get(2)).isInstanceOfSatisfying(Annotate.class, retired -> {
            assertThat(retired.object()).isInstanceOf(PersistentVolumeClaim.class);
            assertThat(retired.annotations()).containsOnly(Map.entry("etcd.improbable.io/retired", "a3"));
        });
        assertThat(effects.get(3))
                .isEqualTo(new ChangeMembers(
                        new MemberList(Map.of(id(0), false, id(1), false, id(2), false, id(3), false)),
                        new MembershipChange.Remove(id(3))));
    }

    @Test
    void whoIsReplacedIsStoppedAndKeepsItsPeer() {
        List<Effect> effects = effects("{like: settled, claims: {c-1: {contents: held, deleting: true}}}");
        assertThat(effects).last().isInstanceOfSatisfying(ReplacePeer.class, stopped -> {
            assertThat(stopped.peer().getMetadata().getName()).isEqualTo("c-1");
            assertThat(stopped.peer().getSpec().standsStill()).isTrue();
            assertThat(stopped.peer().getSpec().claimName()).isEqualTo("c-1");
        });
    }

    /** An empty volume starts etcd only behind a member of its own. */
    @Test
    void aMemberIsAddedBeforeItsPeerIsThere() {
        List<Effect> effects = effects(
                "{like: settled, cluster: {replicas: 2}, claims: {c-1: gone}, peers: {c-1: gone}, pods: {c-1: gone}, members: {c-1: gone}}");
        assertThat(effects)
                .extracting(effect -> (Object) effect.getClass().getSimpleName())
                .containsExactly("ConfirmMembers", "RecordOperation", "Create", "ChangeMembers", "Create");
        assertThat(created(effects, PersistentVolumeClaim.class))
                .singleElement()
                .satisfies(claim -> assertThat(claim.getMetadata().getAnnotations())
                        .contains(
                                Map.entry("etcd.improbable.io/joining", "true"),
                                Map.entry("etcd.improbable.io/promotion", "none"))
                        .doesNotContainKeys("etcd.improbable.io/bootstrap-token", "etcd.improbable.io/member-id"));
        assertThat(created(effects, EtcdPeer.class)).singleElement().satisfies(peer -> {
            assertThat(peer.getSpec().bootstrap().initialClusterState()).isEqualTo(InitialClusterState.EXISTING);
            assertThat(peer.getSpec().bootstrap().staticBootstrap().initialCluster())
                    .extracting(InitialMember::name)
                    .containsExactly("c-0", "c-1");
            assertThat(peer.getSpec().standsStill()).isFalse();
        });
    }

    @Test
    void aReplacementStartsThePeerAgainOnItsNewClaim() {
        List<Effect> effects = effects(
                "{like: settled, claims: {c-1: gone}, peers: {c-1: {stopped: true}}, pods: {c-1: gone}, members: {c-1: gone}}");
        String claim = created(effects, PersistentVolumeClaim.class)
                .getFirst()
                .getMetadata()
                .getName();
        assertThat(effects).last().isInstanceOfSatisfying(ReplacePeer.class, started -> {
            assertThat(started.peer().getSpec().standsStill()).isFalse();
            assertThat(started.peer().getSpec().claimName()).isEqualTo(claim).isNotEqualTo("c-1");
            assertThat(started.peer().getMetadata().getUid()).isEqualTo("peer-c-1");
        });
    }

    /** A pod that runs reads them when its container starts again. */
    @Test
    void aJoinerThatIsToldAnewIsToldInItsPodToo() {
        List<Effect> effects = effects("{like: settled, claims: {c-2: joining},"
                + " peers: {c-2: {state: joiner, startsWith: [c-0, c-2]}}, pods: {c-2: joiner},"
                + " members: {c-2: {role: learner, unhealthy: x}}}");
        assertThat(effects).last().isInstanceOfSatisfying(Annotate.class, told -> {
            assertThat(told.object()).isInstanceOf(Pod.class);
            assertThat(told.annotations().get("etcd.improbable.io/initial-cluster"))
                    .contains("c-0=", "c-1=", "c-2=");
        });
    }

    @Test
    void aPodOnTheOldClaimIsToldNothing() {
        List<Effect> effects = effects("{like: settled, operation: {type: Replace, target: c-1},"
                + " claims: {c-1: {contents: held, retired: true}, c-1-x: {contents: joining, peer: c-1}},"
                + " peers: {c-1: {stopped: true}}, members: {c-1: {id: b1, role: learner, unhealthy: x}}}");
        assertThat(effects)
                .extracting(effect -> (Object) effect.getClass().getSimpleName())
                .containsExactly("ConfirmMembers", "ReplacePeer");
    }

    @Test
    void aClaimIsDeletedOnlyAfterAQuorumHasConfirmedWhoIsAMember() {
        List<Effect> effects = effects("{like: settled, claims: {c-3: {contents: held, retired: true}}}");
        assertThat(effects).first().isInstanceOf(ConfirmMembers.class);
        assertThat(effects)
                .last()
                .isInstanceOfSatisfying(
                        Delete.class,
                        deleted -> assertThat(deleted.object().getMetadata().getUid())
                                .isEqualTo("claim-c-3"));
    }

    @Test
    void aClaimThatIsKeptIsNoLongerRetired() {
        List<Effect> effects = effects("{like: settled, claims: {c-2: {contents: held, retired: true}}}");
        assertThat(effects).first().isInstanceOf(ConfirmMembers.class);
        assertThat(effects)
                .last()
                .isInstanceOfSatisfying(
                        Annotate.class,
                        kept -> assertThat(kept.annotations())
                                .containsOnly(Map.entry("etcd.improbable.io/retired", "")));
    }

    @Test
    void sleepingAndWakingChangeNothingElse() {
        var asleep = read("{like: settled, peers: {c-0: {stopped: true}, c-1: {stopped: true}, c-2: {stopped: true}},"
                + " pods: {c-0: gone, c-1: gone, c-2: gone}, unreachable: x}");
        List<Effect> effects = effects(asleep);
        EtcdPeer before = ScenarioObjects.of(asleep).peers().getFirst();
        assertThat(effects.get(1)).isInstanceOfSatisfying(ReplacePeer.class, woken -> {
            assertThat(woken.peer().getSpec().standsStill()).isFalse();
            assertThat(woken.peer().getSpec().withStopped(true)).isEqualTo(before.getSpec());
        });
    }

    private static MemberId id(int ordinal) {
        return new MemberId(0xa0 + ordinal);
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
