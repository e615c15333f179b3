package etcdoperator.cluster.observe;

import etcdoperator.api.EtcdCluster;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.BackupView.State;
import etcdoperator.manifest.Ages;
import etcdoperator.manifest.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What EtcdBackups say of themselves. */
final class BackupReader {
    private BackupReader() {}

    /** One that is on its way out does not count: its object may be gone already. */
    static List<BackupView> read(EtcdCluster cluster, List<EtcdBackup> backups) {
        return backups.stream()
                .filter(backup -> backup.getMetadata().getDeletionTimestamp() == null)
                .map(backup -> read(cluster, backup))
                .sorted(java.util.Comparator.comparing(BackupView::name))
                .toList();
    }

    private static BackupView read(EtcdCluster cluster, EtcdBackup backup) {
        Optional<EtcdBackupStatus> status = Optional.ofNullable(backup.getStatus());
        State state =
                status.map(EtcdBackupStatus::phase).map(BackupReader::state).orElse(State.UNDER_WAY);
        return new BackupView(
                backup.getMetadata().getName(),
                state,
                Ages.madeAt(backup),
                status.map(EtcdBackupStatus::completionTime).or(() -> status.map(EtcdBackupStatus::startTime)),
                state == State.COMPLETED
                        ? status.map(EtcdBackupStatus::objectURL).orElse("")
                        : status.map(BackupReader::said).orElse(""),
                Optional.ofNullable(backup.getMetadata().getAnnotations().get(Labels.BEFORE))
                        .filter(before -> !isOlder(backup, cluster)),
                status.map(EtcdBackupStatus::revision),
                isOlder(backup, cluster));
    }

    /** What an earlier cluster of the name has left is not this one's to delete. */
    private static boolean isOlder(EtcdBackup backup, EtcdCluster cluster) {
        return Ages.isYounger(cluster, backup);
    }

    private static State state(BackupPhase phase) {
        return switch (phase) {
            case PENDING, RUNNING -> State.UNDER_WAY;
            case COMPLETED -> State.COMPLETED;
            case FAILED -> State.FAILED;
        };
    }

    private static String said(EtcdBackupStatus status) {
        return status.conditions().stream().map(Condition::getMessage).collect(Collectors.joining("; "));
    }
}
