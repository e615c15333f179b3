package etcdoperator.cluster.recovery;

import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.domain.ClusterId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Which backup has most of a cluster's data. Revisions can be compared only within one etcd cluster: every restore makes
 * a new one. So the order is:
 *
 * <ol>
 *   <li>of backups of the present etcd cluster, the one with the highest revision, whichever was completed last;
 *   <li>if there is none, the same of the etcd cluster that an automatic recovery replaced last, and so on;
 *   <li>if there is none either, of backups that record no etcd cluster, because an earlier version took them: the one
 *       that was begun last, after this EtcdCluster was made and after a person last restored it.
 * </ol>
 */
final class BackupChoice {
    private static final Comparator<BackupView> BY_REVISION = Comparator.comparing(
                    (BackupView backup) -> backup.revision().orElse(0L))
            .thenComparing(BackupChoice::takenAt)
            .thenComparing(BackupView::name);

    private static final Comparator<BackupView> BY_TIME = Comparator.comparing(BackupChoice::takenAt)
            .thenComparing(backup -> backup.revision().orElse(0L))
            .thenComparing(BackupView::name);

    private final ClusterView view;

    BackupChoice(ClusterView view) {
        this.view = view;
    }

    /** The one that a recovery goes on from by itself. */
    Optional<BackupView> best() {
        return ids().flatMap(id -> furthestOf(id).stream()).findFirst().or(this::newestWithoutId);
    }

    /** One that no recovery goes on from by itself, which a person may choose. */
    Optional<BackupView> newestOther() {
        List<ClusterId> ids = ids().toList();
        return completed(backup -> !backup.ofAnEarlierCluster())
                .filter(backup ->
                        backup.clusterId().map(id -> !ids.contains(id)).orElse(!isSinceRestore(backup)))
                .max(BY_TIME);
    }

    private Stream<ClusterId> ids() {
        return Stream.concat(view.memory().clusterId().stream(), view.memory().replacedIds().stream());
    }

    /** Also of an EtcdCluster of the name that was deleted: the id says that its data lives on in this one. */
    private Optional<BackupView> furthestOf(ClusterId id) {
        return completed(backup -> backup.clusterId().equals(Optional.of(id))).max(BY_REVISION);
    }

    private Optional<BackupView> newestWithoutId() {
        return completed(backup -> backup.clusterId().isEmpty())
                .filter(backup -> !backup.ofAnEarlierCluster() && isSinceRestore(backup))
                .max(BY_TIME);
    }

    private boolean isSinceRestore(BackupView backup) {
        return view.memory()
                .restoredAt()
                .map(restored -> takenAt(backup).isAfter(restored))
                .orElse(true);
    }

    private Stream<BackupView> completed(Predicate<BackupView> which) {
        return view.backups().stream().filter(BackupView::isCompleted).filter(which);
    }

    private static Instant takenAt(BackupView backup) {
        return backup.takenAt().orElse(Instant.MIN);
    }
}
