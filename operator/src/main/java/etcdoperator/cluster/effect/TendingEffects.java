package etcdoperator.cluster.effect;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdPeer;
import etcdoperator.api.OperationType;
import etcdoperator.api.TlsSetup;
import etcdoperator.cluster.effect.Effect.Apply;
import etcdoperator.cluster.effect.Effect.Create;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.services.Support;
import etcdoperator.cluster.step.LifecycleStep.Adopt;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.domain.PeerName;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Peers;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The effects of bringing back what is around the members: services, budgets, policies, and peers that were edited. */
final class TendingEffects {
    private final Scene scene;
    private final ClusterObjects objects;
    private final EtcdCluster cluster;
    private final ClusterView view;

    TendingEffects(Scene scene) {
        this.scene = scene;
        this.objects = scene.objects();
        this.cluster = scene.cluster();
        this.view = scene.view();
    }

    List<Effect> all() {
        return Stream.of(support(any -> true), surplus(), align(driftedPeers()))
                .flatMap(each -> each)
                .toList();
    }

    /** Members find each other by it, so it comes before them; the rest can wait until they are on their way. */
    Stream<Effect> naming() {
        return support(Support::isNaming);
    }

    Stream<Effect> otherSupport() {
        return support(Predicate.not(Support::isNaming));
    }

    private Stream<Effect> support(Predicate<HasMetadata> which) {
        return Support.desired(cluster, objects.operator(), view.memory(), view.membership()).stream()
                .filter(desired -> view.drift().contains(Support.nameOf(desired)))
                .filter(which)
                .map(desired -> objects.support().stream()
                                .anyMatch(found -> Support.nameOf(found).equals(Support.nameOf(desired)))
                        ? new Apply(desired)
                        : new Create(desired));
    }

    private Stream<Effect> surplus() {
        return Support.surplus(objects)
                .filter(object -> view.surplus().contains(Support.nameOf(object)))
                .map(Effect.Delete::new);
    }

    /** Under the lock: a cluster that is being deleted itself, unseen yet, must not take its orphans back. */
    List<Effect> adopt(Adopt step) {
        List<String> orphans = step.peers().stream().map(PeerName::toString).toList();
        return Stream.concat(scene.record(scene.whole(OperationType.ADOPT), step.reason()), align(orphans))
                .toList();
    }

    private List<String> driftedPeers() {
        return objects.peers().stream()
                .filter(peer -> view.drift().contains(Support.nameOf(peer)))
                .map(peer -> peer.getMetadata().getName())
                .toList();
    }

    /** Spec and owner as they should be; labels that others have added stay. */
    private Stream<Effect> align(List<String> peers) {
        return peers.stream()
                .flatMap(name -> ClusterObjects.find(objects.peers(), name).stream())
                .map(actual -> {
                    EtcdPeer desired = new Peers(cluster, TlsSetup.NONE).asItShouldBe(actual);
                    var metadata = new ObjectMetaBuilder(actual.getMetadata())
                            .addToLabels(desired.getMetadata().getLabels())
                            .withOwnerReferences(desired.getMetadata().getOwnerReferences())
                            .build();
                    EtcdPeer changed = Scene.withSpec(actual, desired.getSpec());
                    changed.setMetadata(metadata);
                    return new ReplacePeer(changed);
                });
    }
}
