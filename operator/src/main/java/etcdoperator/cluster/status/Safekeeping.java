package etcdoperator.cluster.status;

import static java.util.Comparator.comparing;

import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Whether there is a backup to go back to. */
final class Safekeeping {
    static final String BACKED_UP = "BackedUp";

    private Safekeeping() {}

    /** Told to whoever has asked for a backup once. */
    static Optional<Finding> of(ClusterView view) {
        Comparator<BackupView> byTime = comparing(backup -> backup.at().orElse(Instant.MIN));
        Optional<BackupView> good =
                view.backups().stream().filter(BackupView::isCompleted).max(byTime);
        Optional<BackupView> bad = view.backups().stream()
                .filter(backup -> backup.state() == BackupView.State.FAILED)
                .max(byTime)
                .filter(failed ->
                        good.filter(done -> byTime.compare(done, failed) >= 0).isEmpty());
        if (good.isPresent()) {
            String since = bad.map(
                            failed -> "; EtcdBackup %s failed after it: %s".formatted(failed.name(), failed.says()))
                    .orElse("");
            return good.map(done -> new Finding(
                    BACKED_UP,
                    bad.isEmpty(),
                    bad.isEmpty() ? "Completed" : "LastFailed",
                    "The newest backup is of %s, at %s%s"
                            .formatted(
                                    done.at().map(Instant::toString).orElse("an unknown time"), done.says(), since)));
        }
        return bad.map(failed -> new Finding(
                        BACKED_UP,
                        false,
                        "LastFailed",
                        "There is no backup: EtcdBackup %s failed: %s".formatted(failed.name(), failed.says())))
                .or(() -> view.wish().backsUpFirst() || !view.backups().isEmpty()
                        ? Optional.of(new Finding(BACKED_UP, false, "NoneYet", "No backup was completed yet"))
                        : Optional.empty());
    }
}
