package etcdoperator.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import etcdoperator.api.ClusterLineage;
import etcdoperator.api.EtcdCluster;
import etcdoperator.api.EtcdClusterStatus;
import etcdoperator.api.backup.EtcdBackup;
import etcdoperator.api.backup.EtcdBackupStatus;
import etcdoperator.kube.ClusterObjects;
import etcdoperator.simulation.kube.Objects;
import etcdoperator.simulation.rules.Invariant;
import etcdoperator.simulation.world.Sabotage;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The operator misled about what is in backups. */
class BackupSabotageTest {
    @BeforeAll
    static void quiet() {
        ((Logger) LoggerFactory.getLogger("etcdoperator")).setLevel(Level.OFF);
    }

    /** As it was before backups recorded more. */
    @Test
    void theLastToBeCompletedIsTaken() {
        DisasterSabotageTest.assertFound(
                Invariant.RECOVERY_TAKES_THE_FURTHEST,
                backups(before -> status(before, null, before.completionTime())));
    }

    @Test
    void whatRecoveriesReplacedIsForgotten() {
        DisasterSabotageTest.assertFound(Invariant.IT_SETTLES, Sight.ofCluster(seen -> {
            EtcdCluster forgetful = Objects.copy(seen.cluster());
            if (forgetful.getStatus() != null) {
                forgetful.setStatus(withoutLineage(forgetful.getStatus()));
            }
            return with(seen, forgetful, seen.backups());
        }));
    }

    private static Sabotage backups(UnaryOperator<EtcdBackupStatus> misread) {
        return Sight.ofCluster(seen -> with(
                seen,
                seen.cluster(),
                seen.backups().stream()
                        .map(backup -> {
                            EtcdBackup changed = Objects.copy(backup);
                            changed.setStatus(misread.apply(backup.getStatus()));
                            return changed;
                        })
                        .toList()));
    }

    private static EtcdBackupStatus status(EtcdBackupStatus before, String clusterId, Instant startTime) {
        return new EtcdBackupStatus(
                before.phase(),
                before.objectURL(),
                before.path(),
                before.revision(),
                clusterId,
                null,
                before.sizeBytes(),
                before.transferredBytes(),
                before.sha256(),
                before.etcdVersion(),
                before.hashKV(),
                before.keys(),
                before.compactRevision(),
                startTime,
                before.completionTime(),
                before.installation(),
                before.conditions());
    }

    private static EtcdClusterStatus withoutLineage(EtcdClusterStatus status) {
        return new EtcdClusterStatus(
                status.observedGeneration(),
                status.replicas(),
                status.readyReplicas(),
                status.selector(),
                status.members(),
                status.leader(),
                status.clusterId(),
                ClusterLineage.NONE,
                status.clusterVersion(),
                status.endpoints(),
                status.operation(),
                status.installation(),
                status.conditions());
    }

    private static ClusterObjects with(ClusterObjects seen, EtcdCluster cluster, List<EtcdBackup> backups) {
        return new ClusterObjects(
                cluster,
                seen.peers(),
                seen.claims(),
                seen.replicaSets(),
                seen.pods(),
                seen.support(),
                seen.secrets(),
                backups,
                seen.recoveries(),
                seen.volumeWarnings(),
                seen.nodesUp(),
                seen.nodeAddresses(),
                seen.lostVolumes());
    }
}
