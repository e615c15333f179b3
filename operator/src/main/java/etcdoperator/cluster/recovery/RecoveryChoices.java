package etcdoperator.cluster.recovery;

import static java.util.stream.Collectors.joining;

import etcdoperator.cluster.recovery.Casualties.Survivor;
import etcdoperator.cluster.step.RecoverySource;
import etcdoperator.cluster.step.RecoverySource.Backup;
import etcdoperator.cluster.step.RecoverySource.Disks;
import etcdoperator.cluster.view.BackupView;
import etcdoperator.cluster.view.ClusterView;
import java.time.Instant;
import java.util.Comparator;
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
                ? newest(view).map(backup -> new Backup(backup.name()))
                : Optional.of(new Disks(claims));
    }

    /** Of this very cluster: what an earlier one of the name has stored is somebody else's data. */
    static Optional<BackupView> newest(ClusterView view) {
        return view.backups().stream()
                .filter(backup -> backup.isCompleted() && !backup.ofAnEarlierCluster())
                .max(Comparator.comparing((BackupView backup) -> backup.at().orElse(Instant.MIN))
                        .thenComparing(BackupView::name));
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
        String backup = newest(view)
                .map(newest -> "the newest backup is EtcdBackup %s of %s%s"
                        .formatted(
                                newest.name(),
                                newest.at().map(Instant::toString).orElse("an unknown time"),
                                newest.revision()
                                        .map(revision -> ", up to revision " + revision)
                                        .orElse("")))
                .orElse("there is no completed backup");
        return (disks.isEmpty() ? "No disk is left" : "Left is " + disks) + "; " + backup;
    }

    /** What to type, for each of them. */
    static String commands(ClusterView view, Casualties casualties) {
        return Stream.concat(
                        casualties.survivors().stream().map(Survivor::claimName),
                        newest(view).map(backup -> Backup.PREFIX + backup.name()).stream())
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
