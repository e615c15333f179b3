package etcdoperator.simulation.rules;

import etcdoperator.api.ClusterLineage;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdRestore;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.domain.ClusterId;
import etcdoperator.simulation.kube.OperatorProcess;
import etcdoperator.simulation.world.FakeBackups;
import etcdoperator.simulation.world.World;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which backup a cluster goes on from that has lost all its disks, judged by what is in the backups. */
public final class BackupRules {
    private final World world;
    private final Rules rules;
    private final Map<ClusterId, ClusterId> predecessors = new HashMap<>();

    BackupRules(World world, Rules rules) {
        this.world = world;
        this.rules = rules;
    }

    /** @param wentBack whether a person has chosen a backup, and does not want what came after it */
    void replaced(ClusterId lost, ClusterId successor, boolean wentBack) {
        if (wentBack) {
            predecessors.remove(successor);
        } else {
            predecessors.put(successor, lost);
        }
    }

    /** No person has chosen. */
    void chosen(EtcdRestore restore, ClusterId lost, OperatorProcess operator) {
        String backup = restore.getSpec().source().backup();
        boolean knowsAll = operator.watches().stream()
                .noneMatch(watches -> watches.behind().contains(EtcdBackup.class));
        if (backup == null || !knowsAll) {
            return;
        }
        FakeBackups.Stored taken = world.backups().stored(backup).orElseThrow();
        Optional<ClusterId> best = bestId(lost);
        boolean right = best.isEmpty()
                ? !taken.recordsId()
                : taken.recordsId()
                        && taken.id().equals(best.get())
                        && taken.revision()
                                == world.backups().furthest(best.get()).orElseThrow();
        if (!right) {
            rules.broken(
                    Invariant.RECOVERY_TAKES_THE_FURTHEST,
                    "%s is taken, %s, and the furthest is of %s at %s"
                            .formatted(backup, taken, best, best.flatMap(world.backups()::furthest)));
        }
    }

    /** Whether there is a backup that a recovery of this etcd cluster goes on from by itself. */
    public boolean hasOneFor(ClusterId lost, EtcdCluster cluster) {
        return bestId(lost).isPresent()
                || world.server().list(EtcdBackup.class).stream()
                        .filter(FakeBackups::isComplete)
                        .filter(backup -> backup.getStatus().clusterId() == null)
                        .anyMatch(backup -> isSince(cluster, backup));
    }

    private static boolean isSince(EtcdCluster cluster, EtcdBackup backup) {
        Instant restored = Optional.ofNullable(cluster.getStatus().lineage())
                .map(ClusterLineage::restoredAt)
                .orElse(Instant.EPOCH);
        return backup.getStatus().startTime().isAfter(restored)
                && !Instant.parse(backup.getMetadata().getCreationTimestamp())
                        .isBefore(Instant.parse(cluster.getMetadata().getCreationTimestamp()));
    }

    private Optional<ClusterId> bestId(ClusterId lost) {
        for (ClusterId id = lost; id != null; id = predecessors.get(id)) {
            if (world.backups().furthest(id).isPresent()) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }
}
