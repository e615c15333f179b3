package etcdoperator.cluster.rollout;

import static java.util.Comparator.comparing;

import etcdoperator.cluster.step.MaintenanceStep.DropBackups;
import etcdoperator.cluster.step.Outcome.Stuck;
import etcdoperator.cluster.step.Outcome.Wait;
import etcdoperator.cluster.step.RolloutStep.BackUp;
import etcdoperator.cluster.step.Step;
import etcdoperator.cluster.step.Task;
import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import etcdoperator.cluster.view.Operation;
import etcdoperator.cluster.view.Problem;
import etcdoperator.domain.EtcdVersion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The backup that is there before the first member runs another minor: what a newer etcd has written, an older one may
 * not read. It is kept until the next one is there.
 */
public final class SafetyBackup {
    private final ClusterView view;
    private final Task task;
    private final EtcdVersion wanted;

    SafetyBackup(ClusterView view) {
        this.view = view;
        this.task = new Renewal(view).task();
        this.wanted = view.wish().version();
    }

    /** Empty once it is there, or where none is asked for. */
    Optional<Step> first() {
        if (!view.wish().backsUpFirst()) {
            return Optional.empty();
        }
        String name = name();
        return view.backups().stream()
                .filter(backup -> backup.name().equals(name))
                .findFirst()
                .map(this::follow)
                .orElseGet(() -> Optional.of(
                        new BackUp(task, name, wanted, "Taking backup %s before etcd %s".formatted(name, wanted))));
    }

    private Optional<Step> follow(BackupView backup) {
        return switch (backup.state()) {
            case COMPLETED -> Optional.empty();
            case UNDER_WAY ->
                Optional.of(new Wait("Waiting for EtcdBackup %s before etcd %s%s"
                        .formatted(backup.name(), wanted, backup.says().isEmpty() ? "" : ": " + backup.says())));
            case FAILED ->
                Optional.of(new Stuck(new Problem(
                        Problem.Kind.BackupFailed,
                        "EtcdBackup %s, which has to be there before etcd %s, failed: %s; delete it to have another try, or set spec.backup.beforeUpgrade to false"
                                .formatted(backup.name(), wanted, backup.says()))));
        };
    }

    /** One for each attempt, the same in each of its passes: it follows from the lock. */
    private String name() {
        Instant begun = view.memory()
                .operation()
                .filter(task::isRecordedAs)
                .map(Operation::startedAt)
                .orElse(view.now());
        return view.wish().key().name() + "-pre-" + Long.toString(begun.getEpochSecond(), Character.MAX_RADIX);
    }

    /** Those of earlier changes, once that of a later one is there and the change is over. */
    public static Optional<Step> outdated(ClusterView view) {
        List<BackupView> taken = view.backups().stream()
                .filter(backup -> backup.before().isPresent() && backup.isCompleted())
                .sorted(comparing((BackupView backup) -> backup.at().orElse(Instant.MIN))
                        .thenComparing(BackupView::name))
                .toList();
        boolean changing =
                view.memory().operation().filter(Operation::restartsMembers).isPresent();
        if (changing || taken.size() < 2) {
            return Optional.empty();
        }
        List<String> old = taken.subList(0, taken.size() - 1).stream()
                .map(BackupView::name)
                .toList();
        return Optional.of(new DropBackups(
                old,
                "Deleting %s: %s was taken later, and the change after it has succeeded"
                        .formatted(String.join(", ", old), taken.getLast().name())));
    }
}
