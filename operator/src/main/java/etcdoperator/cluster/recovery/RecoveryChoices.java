package etcdoperator.cluster.recovery;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.recovery.Casualties.Survivor;
import etcdoperator.cluster.step.RecoverySource;
import etcdoperator.cluster.step.RecoverySource.Backup;
import etcdoperator.cluster.step.RecoverySource.Disks;
import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which sources a recovery can choose from: the disks of survivors, and backups. */
final class RecoveryChoices {
    private RecoveryChoices() {}

    /** What is best where nobody has chosen: a disk has more than any backup. */
    static Optional<RecoverySource> best(ClusterView view, Casualties casualties) {
        List<String> claims =
                casualties.survivors().stream().map(Survivor::claimName).toList();
        return claims.isEmpty()
                ? new BackupChoice(view).best().map(backup -> new Backup(backup.name()))
                : Optional.of(new Disks(claims));
    }

    /** What a person has named, if it is there. */
    static Optional<RecoverySource> named(String choice, ClusterView view, Casualties casualties) {
        return choice.startsWith(Backup.PREFIX)
                ? view.backups().stream()
                        .filter(backup -> backup.isCompleted() && choice.equals(Backup.PREFIX + backup.name()))
                        .<RecoverySource>map(backup -> new Backup(backup.name()))
                        .findFirst()
                : casualties.survivors().stream()
                        .filter(survivor -> survivor.claimName().equals(choice))
                        .<RecoverySource>map(survivor -> new Disks(List.of(survivor.claimName())))
                        .findFirst();
    }

    /** All there is to choose from, in words. */
    static String choices(ClusterView view, Casualties casualties) {
        String disks = casualties.survivors().stream()
                .map(survivor -> "claim %s of %s (%s)"
                        .formatted(
                                survivor.claimName(),
                                survivor.known(),
                                survivor.revision()
                                        .map(revision -> "up to revision %d at least".formatted(revision))
                                        .orElse("its etcd does not tell up to which revision")))
                .collect(joining(", "));
        var choice = new BackupChoice(view);
        String backup = choice.best()
                .map(best -> "the newest backup is EtcdBackup %s of %s%s%s"
                        .formatted(best.name(), taken(best), upTo(best), replaced(best, view)))
                .or(() -> choice.newestOther()
                        .map(other ->
                                "there is no completed backup of the data that the cluster had last; EtcdBackup %s of %s%s has data from before a restore"
                                        .formatted(other.name(), taken(other), upTo(other))))
                .orElse("there is no completed backup");
        return (disks.isEmpty() ? "No disk is left" : "Left is " + disks) + "; " + backup;
    }

    private static String taken(BackupView backup) {
        return backup.takenAt().map(Instant::toString).orElse("an unknown time");
    }

    private static String upTo(BackupView backup) {
        return backup.revision().map(revision -> ", up to revision " + revision).orElse("");
    }

    private static String replaced(BackupView backup, ClusterView view) {
        return backup.clusterId()
                .filter(id -> !view.memory().clusterId().equals(Optional.of(id)))
                .map(", of etcd cluster %s, which a recovery replaced"::formatted)
                .orElse("");
    }

    /** What to type, for each of them. */
    static String commands(ClusterView view, Casualties casualties) {
        var backups = new BackupChoice(view);
        return Stream.concat(
                        casualties.survivors().stream().map(Survivor::claimName),
                        backups.best().or(backups::newestOther).map(backup -> Backup.PREFIX + backup.name()).stream())
                .map(choice -> "kubectl annotate --overwrite --namespace %s etcd %s etcd.improbable.io/recover=%s"
                        .formatted(
                                view.wish().key().namespace(), view.wish().key().name(), choice))
                .collect(joining(", or "));
    }

    /** What a person can do. */
    static String advice(ClusterView view, Casualties casualties) {
        String commands = commands(view, casualties);
        return commands.isEmpty()
                ? "bring the volumes back, or restore a backup from elsewhere with an EtcdRestore in place"
                : "bring the volumes back, or choose what to go on from: " + commands;
    }
}
