package etcdoperator.cluster.effect;

import etcdoperator.api.EtcdRestoreSpec.RestoreSource;
import etcdoperator.cluster.step.RecoverySource;
import etcdoperator.cluster.step.RecoveryStep;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.Operation;
import etcdoperator.domain.Promotion;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.manifest.Backups;
import etcdoperator.manifest.Claims;
import etcdoperator.manifest.Labels;
import etcdoperator.manifest.Recoveries;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What is done to bring a cluster back that has lost most voters. Pure. */
final class RecoveryEffects {
    private final Scene scene;

    RecoveryEffects(Scene scene) {
        this.scene = scene;
    }

    List<Effect> save(RecoveryStep.SaveRemains step) {
        return Stream.concat(
                        scene.record(step.task(), step.reason()),
                        Stream.of(new Effect.Create(Backups.ofRemains(scene.cluster(), step.backup()))))
                .toList();
    }

    List<Effect> begin(RecoveryStep.Recover step) {
        return Stream.concat(
                        confirm(step.task(), step.reason()),
                        Stream.of(new Effect.Create(Recoveries.of(
                                scene.cluster(),
                                step.restore(),
                                step.lost(),
                                source(step.source()),
                                step.blanks(),
                                step.votes()))))
                .toList();
    }

    /** Written also where it is there: whoever has not heard what became of the loss since is stopped by that. */
    private Stream<Effect> confirm(Task task, String reason) {
        return Stream.of(new Effect.RecordOperation(scene.view()
                .memory()
                .operation()
                .filter(task::isRecordedAs)
                .orElseGet(() ->
                        new Operation(task.type(), task.target(), scene.view().now(), reason))));
    }

    private static RestoreSource source(RecoverySource source) {
        return switch (source) {
            case RecoverySource.Backup(String name) ->
                new RestoreSource(null, null, name, null, null, null, null, null);
            case RecoverySource.Disks(List<String> claims) -> RestoreSource.ofClaims(claims);
        };
    }

    List<Effect> confirmLoss(RecoveryStep.ConfirmLoss step) {
        Map<String, String> verdict =
                Map.of(Labels.LOSS_CONFIRMED, scene.view().now().toString());
        // The lock is written anew, as it is: whoever has not heard what became of the cluster since is stopped by
        // that.
        return Stream.of(
                        Stream.of(new Effect.RequireLossAsSeen()),
                        scene.view().memory().operation().stream().map(Effect.RecordOperation::new),
                        ClusterObjects.find(scene.objects().recoveries(), step.restore()).stream()
                                .map(restore -> new Effect.Annotate(restore, verdict)))
                .<Effect>flatMap(effects -> effects)
                .toList();
    }

    List<Effect> callOff(RecoveryStep.CallOff step) {
        return Stream.of(
                        step.promoted().stream()
                                .flatMap(scene::claim)
                                .<Effect>map(claim -> new Effect.Annotate(claim, Claims.promoted(Promotion.FOUND))),
                        step.readable().stream()
                                .flatMap(scene::claim)
                                .<Effect>map(claim -> new Effect.Annotate(
                                        claim, Claims.readable(scene.view().now()))),
                        ClusterObjects.find(scene.objects().recoveries(), step.restore()).stream()
                                .<Effect>map(Effect.Delete::new))
                .flatMap(effects -> effects)
                .toList();
    }
}
