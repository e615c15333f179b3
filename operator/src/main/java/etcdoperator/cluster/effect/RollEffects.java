package etcdoperator.cluster.effect;

import etcdoperator.cluster.effect.Effect.Annotate;
import etcdoperator.cluster.effect.Effect.ConfirmMembers;
import etcdoperator.cluster.effect.Effect.Delete;
import etcdoperator.cluster.effect.Effect.ReplacePeer;
import etcdoperator.cluster.step.Chore;
import etcdoperator.cluster.step.ClaimStep;
import etcdoperator.cluster.step.MaintenanceStep;
import etcdoperator.cluster.step.RolloutStep;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.Roster;
import etcdoperator.domain.EtcdVersion;
import etcdoperator.domain.PeerName;
import etcdoperator.etcd.Order;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Backups;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Peers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The effects of steps that change what members run. */
final class RollEffects {
    private final Scene scene;

    RollEffects(Scene scene) {
        this.scene = scene;
    }

    List<Effect> renew(RolloutStep.Renew step) {
        Stream<Effect> spec = scene.peer(step.peer())
                .map(peer -> new ReplacePeer(Scene.withSpec(
                        peer,
                        new Peers(scene.cluster(), scene.view().tls().target())
                                .renewed(peer)
                                .getSpec())));
        return effects(
                step.task(),
                step.reason(),
                Stream.of(mark(step.peer()), inscribe(step.peer()), spec).flatMap(effects -> effects));
    }

    /** Before the next version can have run: what comes after a crash must not be an older one. */
    private Stream<Effect> inscribe(PeerName name) {
        EtcdVersion next = scene.view().wish().version();
        return scene.view().ownPeer(name).stream()
                .flatMap(peer -> scene.view().claim(peer.claimName()).stream())
                .filter(claim -> claim.heldData() && !claim.version().equals(Optional.of(next)))
                .flatMap(claim -> scene.claim(claim.name()))
                .map(claim -> new Annotate(claim, Claims.writtenBy(next)));
    }

    /** What an older operator made does not say with which settings; from now on they are not the right ones. */
    private Stream<Effect> mark(PeerName peer) {
        return scene.view().ownPeer(peer).flatMap(scene.view()::podOf).stream()
                .filter(pod -> pod.settings().isEmpty())
                .flatMap(pod -> ClusterObjects.find(scene.objects().pods(), pod.name()).stream())
                .map(pod -> new Annotate(pod, Map.of(Labels.SETTINGS, "unknown")));
    }

    List<Effect> restart(RolloutStep.Restart step) {
        return effects(
                step.task(),
                step.reason(),
                Stream.concat(
                        interruption(step.peer()).stream(),
                        ClusterObjects.find(scene.objects().pods(), step.pod()).stream()
                                .map(Delete::new)));
    }

    /** One or two members have nobody to spare. */
    private Optional<Effect> interruption(PeerName peer) {
        return Roster.of(scene.view())
                .filter(roster -> roster.voters().size() <= 2)
                .map(roster -> new Effect.Announce(
                        "RestartInterrupts",
                        "%s is restarted, and until it is back etcd takes no requests: a cluster of %d cannot do without it"
                                .formatted(peer, roster.voters().size())));
    }

    List<Effect> tell(Task task, String reason, Order order) {
        return effects(task, reason, Stream.of(new Effect.TellEtcd(order)));
    }

    List<Effect> begin(Task task, String reason, Chore chore) {
        return effects(task, reason, Stream.of(new Effect.Begin(chore)));
    }

    List<Effect> backUp(RolloutStep.BackUp step) {
        return effects(
                step.task(),
                step.reason(),
                Stream.of(new Effect.Create(Backups.before(
                        scene.cluster(), step.backup(), step.before().toString()))));
    }

    /** Marked first: a backup that is only deleted leaves its object where it is. */
    List<Effect> drop(MaintenanceStep.DropBackups step) {
        return step.backups().stream()
                .flatMap(name -> ClusterObjects.find(scene.objects().backups(), name).stream())
                .<Effect>flatMap(backup -> Backups.isExpired(backup)
                        ? Stream.of(new Delete(backup))
                        : Stream.of(new Annotate(backup, Backups.expired())))
                .toList();
    }

    List<Effect> service(Task task, String reason, String pod) {
        return effects(task, reason, label(pod, true));
    }

    Stream<Effect> label(String pod, boolean outOfService) {
        return ClusterObjects.find(scene.objects().pods(), pod).stream()
                .map(found -> new Effect.Label(found, Labels.outOfService(outOfService)));
    }

    List<Effect> expand(ClaimStep.Expand step) {
        return step.claims().stream()
                .flatMap(scene::claim)
                .<Effect>map(claim -> new Effect.Resize(claim, Claims.storage(scene.cluster())))
                .toList();
    }

    /** Where there is a quorum, it is asked once more: what was seen may be old, and nobody is to go who is needed now. */
    private List<Effect> effects(Task task, String reason, Stream<? extends Effect> then) {
        Stream<Effect> quorum = Roster.of(scene.view()).stream()
                .map(roster -> new ConfirmMembers(
                        scene.view().reachable().orElseThrow().list()));
        return Stream.of(quorum, scene.record(task, reason), then)
                .flatMap(effects -> effects)
                .map(effect -> (Effect) effect)
                .toList();
    }
}
