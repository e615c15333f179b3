package etcdoperator.simulation;

import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupSchedule;
import etcdoperator.api.backup.EtcdBackupScheduleStatus;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.api.backup.EtcdBackupStatus.BackupPhase;
import etcdoperator.manifest.Labels;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.rules.Rules;
import etcdoperator.simulation.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;

/** Whether backups and schedules have come to rest, or say what they wait for. */
final class BackupVerdict {
    private final World world;
    private final Rules rules;

    BackupVerdict(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    void check() {
        boolean nothingIsInTheWay = isServed() && world.nodes().areAllUp();
        for (EtcdBackup backup : world.server().list(EtcdBackup.class)) {
            if (Objects.isDeleting(backup)) {
                goes(backup, nothingIsInTheWay);
            } else if (!hasEnded(backup)) {
                waits(backup, nothingIsInTheWay);
            } else {
                agentsAreGone(backup);
            }
        }
        world.server().list(EtcdBackupSchedule.class).forEach(this::isAtRest);
    }

    /** By members that any agent can ask. */
    private boolean isServed() {
        return world.cluster().isPresent()
                && world.leaders().findAny().isPresent()
                && !world.isSecured();
    }

    private static boolean hasEnded(EtcdBackup backup) {
        return backup.getStatus() != null && backup.getStatus().completionTime() != null;
    }

    private void goes(EtcdBackup backup, boolean nothingIsInTheWay) {
        if (nothingIsInTheWay || said(backup, "Erased").isEmpty()) {
            fail(backup, "was deleted, and is still there");
        }
    }

    private void waits(EtcdBackup backup, boolean nothingIsInTheWay) {
        if (nothingIsInTheWay || said(backup, "Complete").isEmpty()) {
            fail(backup, "has not ended");
        }
    }

    private static Optional<String> said(EtcdBackup backup, String type) {
        return Optional.ofNullable(backup.getStatus()).stream()
                .flatMap(status -> status.conditions().stream())
                .filter(condition ->
                        condition.getType().equals(type) && !condition.getMessage().isEmpty())
                .map(Condition::getMessage)
                .findFirst();
    }

    private void agentsAreGone(EtcdBackup backup) {
        boolean completed = backup.getStatus().phase() == BackupPhase.COMPLETED;
        world.server().list(Job.class).stream()
                .filter(job -> completed
                        && backup.getMetadata()
                                .getName()
                                .equals(job.getMetadata().getLabels().get(Labels.BACKUP)))
                .findFirst()
                .ifPresent(job -> fail(backup, "is complete, and " + Objects.describe(job) + " is left"));
    }

    private void isAtRest(EtcdBackupSchedule schedule) {
        EtcdBackupScheduleStatus status = schedule.getStatus();
        if (status == null || status.conditions().isEmpty()) {
            rules.broken(Invariant.IT_SETTLES, Objects.describe(schedule) + " says nothing");
            return;
        }
        List<String> active = world.server().list(EtcdBackup.class).stream()
                .filter(backup -> schedule.getMetadata()
                        .getName()
                        .equals(backup.getMetadata().getLabels().get(Labels.SCHEDULE)))
                .filter(backup -> !hasEnded(backup) && !Objects.isDeleting(backup))
                .map(backup -> backup.getMetadata().getName())
                .sorted()
                .toList();
        if (!active.equals(status.active())) {
            rules.broken(
                    Invariant.IT_SETTLES,
                    "%s names %s, and under way are %s"
                            .formatted(Objects.describe(schedule), status.active(), active));
        }
    }

    private void fail(EtcdBackup backup, String how) {
        EtcdBackupStatus status = backup.getStatus();
        rules.broken(Invariant.IT_SETTLES, "%s %s: %s".formatted(Objects.describe(backup), how, status));
    }
}
