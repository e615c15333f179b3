package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.EtcdRestoreSpec.RestoreSource;
import etcdoperator.api.EtcdRestoreStatus;
import etcdoperator.api.EtcdRestoreStatus.RestorePhase;
import etcdoperator.api.EtcdRestoreStatus.RestoreStage;
import etcdoperator.cluster.view.RecoveryView;
import etcdoperator.cluster.view.RecoveryView.State;
import etcdoperator.manifest.Ages;
import etcdoperator.manifest.Recoveries;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What EtcdRestores say of themselves that were made to bring a cluster back. */
final class RecoveryReader {
    private RecoveryReader() {}

    /** Those of an earlier cluster of the name say nothing of this one. */
    static List<RecoveryView> read(EtcdCluster cluster, List<EtcdRestore> restores) {
        return restores.stream()
                .filter(restore -> !Ages.isYounger(cluster, restore))
                .flatMap(restore -> read(restore).stream())
                .sorted(Comparator.comparing(RecoveryView::name))
                .toList();
    }

    private static Optional<RecoveryView> read(EtcdRestore restore) {
        EtcdRestoreStatus status = Objects.requireNonNullElse(restore.getStatus(), EtcdRestoreStatus.EMPTY);
        return Recoveries.lost(restore)
                .map(lost -> new RecoveryView(
                        restore.getMetadata().getName(),
                        Ages.madeAt(restore),
                        lost,
                        state(status.phase()),
                        status.stage() == RestoreStage.CONFIRMING,
                        Recoveries.confirmedAt(restore),
                        status.stage() == RestoreStage.SWAPPING || status.stage() == RestoreStage.STARTING,
                        restore.getMetadata().getDeletionTimestamp() != null,
                        Recoveries.withoutData(restore),
                        Recoveries.foundEmpty(restore),
                        Recoveries.foundReadable(restore),
                        Recoveries.learners(restore),
                        Recoveries.votersFound(restore),
                        restore.getSpec().source().survivors(),
                        source(restore.getSpec().source(), status),
                        Optional.ofNullable(status.revision()),
                        Optional.ofNullable(status.backupTime()),
                        Optional.ofNullable(status.completionTime()),
                        status.conditions().stream().map(Condition::getMessage).collect(Collectors.joining("; "))));
    }

    private static State state(@Nullable RestorePhase phase) {
        return switch (phase) {
            case null -> State.UNDER_WAY;
            case PENDING, RESTORING -> State.UNDER_WAY;
            case COMPLETED -> State.COMPLETED;
            case FAILED -> State.FAILED;
        };
    }

    private static String source(RestoreSource source, EtcdRestoreStatus status) {
        return source.backup() == null
                ? "claim " + Objects.requireNonNullElse(status.sourceClaim(), source.claim())
                : "EtcdBackup " + source.backup();
    }
}
